#!/usr/bin/env python3
"""From file to file: lookback beside what copying the bytes takes, and beside numpy where it is installed.

    bench/files.py build/cpu/lookback [--items 2^28] [--runs 9] [--folder DIR] [--json FILE]

Every command is a process of its own, timed from its start to its end, in turn, with its output removed before. The input is in the
page cache. Bars: the slower of reading the input and of copying a file as long as the output (x_floor), and numpy (x_numpy).
"""
import argparse, json, os, platform, statistics, subprocess, sys, tempfile, time

words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
words.add_argument("program")
words.add_argument("--items", default="2^28")
words.add_argument("--runs", type=int, default=9)
words.add_argument("--folder", default=".")
words.add_argument("--json")
asked = words.parse_args()
program = os.path.abspath(asked.program)


def succeeds(command):
    return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def seconds(command, output):
    if output and os.path.exists(output):
        os.remove(output)
    begin = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begin


with tempfile.TemporaryDirectory(dir=asked.folder) as folder:
    at = lambda name: os.path.join(folder, name)
    subprocess.run([program, "gen", "uniform", "--n", asked.items, "--dtype", "i32", "--low", "-1000", "--high", "1000", "-o", at("in.npy"),
                    "--quiet"], check=True)
    subprocess.run([program, "select", at("in.npy"), "-o", at("half.npy"), "--below", "0", "--quiet", "--on", "cpu"], check=True)
    ours = lambda verb, *more: [program, verb, at("in.npy"), "-o", at("out.npy"), "--on", "cpu", "--quiet", *more]
    numpy = lambda text: [sys.executable, "-c", f"import numpy as n; a = n.load({at('in.npy')!r}); n.save({at('out.npy')!r}, {text})"]
    out = at("out.npy")
    commands = {
        "cat": (["sh", "-c", f"cat {at('in.npy')} >/dev/null"], None),
        "cp": (["cp", at("in.npy"), out], out),
        "cp half": (["cp", at("half.npy"), out], out),
        "lookback scan": (ours("scan"), out),
        "lookback scan, whole": (ours("scan", "--repeat", "1", "--strategy", "decoupled-look-back"), out),
        "lookback select": (ours("select", "--below", "0"), out),
        "lookback unique": (ours("unique"), out),
    }
    if succeeds([sys.executable, "-c", "import numpy"]):
        commands["numpy cumsum"] = (numpy("n.cumsum(a, dtype='i4')"), out)
        commands["numpy a[a < 0]"] = (numpy("a[a < 0]"), out)
    taken = {name: [] for name in commands}
    for _ in range(asked.runs):
        for name, (command, output) in commands.items():
            taken[name].append(seconds(command, output))
    median = {name: statistics.median(all) for name, all in taken.items()}
    size = os.path.getsize(at("in.npy"))

scan_floor, select_floor = max(median["cat"], median["cp"]), max(median["cat"], median["cp half"])
rows = []
for name, took in median.items():
    row = {"name": name, "real_time": 1e3 * took, "time_unit": "ms", "repetitions": asked.runs, "spread": max(taken[name]) / min(taken[name])}
    if name == "lookback scan":
        row |= {"x_floor": took / scan_floor, "bar:x_floor": 1.35, "aim:x_floor": 1.1}
        if "numpy cumsum" in median:
            row |= {"x_numpy": median["numpy cumsum"] / took, "bar:x_numpy": 1.3, "aim:x_numpy": 2}
    if name == "lookback select":
        row |= {"x_floor": took / select_floor, "bar:x_floor": 1.35, "aim:x_floor": 1.1}
        if "numpy a[a < 0]" in median:
            row |= {"x_numpy": median["numpy a[a < 0]"] / took, "bar:x_numpy": 3, "aim:x_numpy": 4}
    rows.append(row)
    print(f"{name:22} {1e3 * took:9.1f} ms   " + "   ".join(f"{k} {v:.2f}" for k, v in row.items() if k.startswith(("x_", "bar:"))))
if asked.json:
    cpu = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), platform.processor())
    context = {"date": time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime()), "cpu": cpu, "num_cpus": os.cpu_count(), "input_bytes": size,
               "commit": os.environ.get("LOOKBACK_COMMIT", ""), "executable": " ".join(sys.argv[1:] and ["bench/files.py", *sys.argv[1:]])}
    with open(asked.json, "w") as file:
        json.dump({"context": context, "benchmarks": rows}, file, indent=2)
        file.write("\n")
