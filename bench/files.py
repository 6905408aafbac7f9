#!/usr/bin/env python3
"""From file to file: lookback beside what copying the bytes takes, and beside numpy where it is installed.

    bench/files.py build/cpu/lookback [--items 2^28] [--runs 9] [--folder DIR] [--json FILE]
    bench/files.py build/gpu/lookback --on gpu --transfers build/gpu/bench/bench_transfers --items 2^30 --folder /dev/shm

Every command is a process of its own, timed from its start to its end, in turn, with its output removed before. The input is in the
page cache. Bars: the slower of reading the input and of copying a file as long as the output (x_floor), and numpy (x_numpy). On a GPU
the floor is the slowest of one pinned copy of the input to it, one of the output back, and the copy of the file; x_floor_running leaves
out what a process takes to begin with a GPU, and x_cub is what CUB takes by the phases of `lookback compare`, and is held against that time;
x_cub_then is the same by the phases of the build that --phases-of names.
"""
import argparse, json, os, platform, statistics, subprocess, sys, tempfile, time

words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
words.add_argument("program")
words.add_argument("--items", default="2^28")
words.add_argument("--runs", type=int, default=9)
words.add_argument("--folder", default=".")
words.add_argument("--json")
words.add_argument("--on", choices=["cpu", "gpu"], default="cpu")
words.add_argument("--transfers", help="the program that times pinned copies")
words.add_argument("--only", help="these commands, with commas between, and the copies")
words.add_argument("--phases-of", help="an older build, by whose phases CUB's time is taken too: x_cub_then")
words.add_argument("--seconds", type=float, default=float("inf"), help="begin no further round when so many have passed")
asked = words.parse_args()
if asked.on == "gpu" and not asked.transfers:
    words.error("--on gpu needs --transfers: the floor is what a pinned copy takes")
program = os.path.abspath(asked.program)


def succeeds(command):
    return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def seconds(command, outputs):
    for output in outputs:
        if os.path.exists(output):
            os.remove(output)
    begin = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begin


with tempfile.TemporaryDirectory(dir=asked.folder) as folder:
    at = lambda name: os.path.join(folder, name)
    subprocess.run([program, "gen", "uniform", "--n", asked.items, "--dtype", "i32", "--low", "-1000", "--high", "1000", "-o", at("in.npy"),
                    "--quiet"], check=True)
    subprocess.run([program, "select", at("in.npy"), "-o", at("half.npy"), "--below", "0", "--quiet", "--on", "cpu"], check=True)
    subprocess.run([program, "gen", "runs", "--n", asked.items, "--mean", "4", "-o", at("keys.npy"), "--quiet"], check=True)
    encode = [program, "rle", "encode", at("keys.npy"), "-o", at("values.npy"), "--lengths", at("lengths.npy"), "--on", "cpu", "--quiet"]
    subprocess.run(encode, check=True)
    out, more_out = at("out.npy"), at("more.npy")
    where = ["--on", asked.on, "--quiet"]
    ours = lambda verb, *more: [program, verb, at("in.npy"), "-o", out, *where, *more]
    numpy = lambda text: [sys.executable, "-c", f"import numpy as n\nload = lambda name: n.load({folder + os.sep!r} + name + '.npy')\n" + text]
    save = lambda text: f"n.save({out!r}, {text})"
    reduceat = (f"k, v = load('keys'), load('in'); at = n.flatnonzero(n.r_[True, k[1:] != k[:-1]]); {save('k[at]')}; "
                f"n.save({more_out!r}, n.add.reduceat(v, at))")
    outputs = [out, more_out]
    commands = {
        "cat": ["sh", "-c", f"cat {at('in.npy')} >/dev/null"],
        "cat keys and values": ["sh", "-c", f"cat {at('keys.npy')} {at('in.npy')} >/dev/null"],
        "cp": ["cp", at("in.npy"), out],
        "cp half": ["cp", at("half.npy"), out],
        "cp two of runs": ["sh", "-c", f"cp {at('values.npy')} {out}; cp {at('values.npy')} {more_out}"],
        "cp values and lengths": ["sh", "-c", f"cp {at('values.npy')} {out}; cp {at('lengths.npy')} {more_out}"],
        "lookback scan": ours("scan"),
        "lookback scan, whole": ours("scan", "--strategy", "decoupled-look-back"),
        "lookback scan --keys": ours("scan", "--keys", at("keys.npy")),
        "lookback select": ours("select", "--below", "0"),
        "lookback unique": ours("unique"),
        "lookback reduce-by-key": [program, "reduce-by-key", at("keys.npy"), at("in.npy"), "-o", out, "--values-out", more_out,
                                   *where],
        "lookback rle encode": [program, "rle", "encode", at("keys.npy"), "-o", out, "--lengths", more_out, *where],
        "lookback rle decode": [program, "rle", "decode", at("values.npy"), "--lengths", at("lengths.npy"), "-o", out, *where],
        "lookback sort": ours("sort"),
    }
    if asked.on == "cpu" and succeeds([sys.executable, "-c", "import numpy"]):
        commands["numpy cumsum"] = numpy(save("n.cumsum(load('in'), dtype='i4')"))
        commands["numpy a[a < 0]"] = numpy("a = load('in'); " + save("a[a < 0]"))
        commands["numpy add.reduceat"] = numpy(reduceat)
        commands["numpy repeat"] = numpy(save("n.repeat(load('values'), load('lengths'))"))
    if asked.only:
        commands = {name: command for name, command in commands.items() if name.startswith("c") or name in asked.only.split(",")}
    taken = {name: [] for name in commands}
    running = {name: [] for name in commands}  # as the program says itself
    limits = {}
    rounds, begin = 0, time.perf_counter()
    while rounds < asked.runs and (rounds == 0 or time.perf_counter() - begin < asked.seconds):
        rounds += 1
        for name, command in commands.items():
            says = asked.on == "gpu" and name.startswith("lookback")
            taken[name].append(seconds(command + ["--json", at("said.json")] if says else command, outputs))
            if says:
                said = json.load(open(at("said.json")))["benchmarks"][0]
                running[name].append(said["real_time"] / 1e3)
                limits[name] = said.get("limit", "")
        print(f"round {rounds} of {asked.runs}, {time.perf_counter() - begin:.0f} s", file=sys.stderr, flush=True)
    median = {name: statistics.median(all) for name, all in taken.items()}
    size = os.path.getsize(at("in.npy"))
    transfers, cub, cub_then = {}, {}, {}
    if asked.transfers:
        of_bytes = lambda *names: sum(os.path.getsize(at(name)) for name in names)
        transferred = lambda number: [float(word) for word in subprocess.run([asked.transfers, str(number)], check=True, capture_output=True,
                                                                             text=True).stdout.split()]
        both = {"lookback scan": (size, size), "lookback scan --keys": (2 * size, size), "lookback select": (size, of_bytes("half.npy")),
                "lookback unique": (size, size), "lookback reduce-by-key": (2 * size, 2 * of_bytes("values.npy")),
                "lookback rle encode": (size, of_bytes("values.npy", "lengths.npy")),
                "lookback rle decode": (of_bytes("values.npy", "lengths.npy"), size), "lookback sort": (size, size)}
        per_byte = [took / size for took in transferred(size)]
        transfers = {name: max(per_byte[0] * come, per_byte[1] * go) for name, (come, go) in both.items()}
    if asked.on == "gpu":
        for of, build in [(cub, program)] + ([(cub_then, os.path.abspath(asked.phases_of))] if asked.phases_of else []):
            for name, words_of_it in {"lookback scan": ["scan", at("in.npy")], "lookback select": ["select", at("in.npy"), "--below", "0"]}.items():
                subprocess.run([build, "compare", *words_of_it, "-o", out, "--on", "gpu", "--repeat", "2", "--json", at("said.json"), "--quiet",
                                "--strategy", "decoupled-look-back"], check=True, stdout=subprocess.DEVNULL)
                for row in json.load(open(at("said.json")))["benchmarks"]:
                    if "/CUB/" in row["name"] and row["name"].endswith("/warm"):
                        of[name] = row["real_time"] / 1e3

# The floor is the slowest of these; the peer; bars and aims of the two.
compared = {
    "lookback scan": (["cat", "cp"], "numpy cumsum", {"bar:x_floor": 1.35, "aim:x_floor": 1.1, "bar:x_numpy": 1.3, "aim:x_numpy": 2}),
    "lookback scan --keys": (["cat keys and values", "cp"], None, {}),
    "lookback select": (["cat", "cp half"], "numpy a[a < 0]", {"bar:x_floor": 1.35, "aim:x_floor": 1.1, "bar:x_numpy": 3, "aim:x_numpy": 4}),
    "lookback unique": (["cat", "cp"], None, {}),
    "lookback reduce-by-key": (["cat keys and values", "cp two of runs"], "numpy add.reduceat", {}),
    "lookback rle encode": (["cat", "cp values and lengths"], None, {}),
    "lookback rle decode": (["cp"], "numpy repeat", {}),
    "lookback sort": (["cat", "cp"], None, {}),
}
rows = []
for name, took in median.items():
    row = {"name": name, "real_time": 1e3 * took, "time_unit": "ms", "repetitions": rounds, "spread": max(taken[name]) / min(taken[name])}
    floor, peer, bars = compared.get(name, ([], None, {}))
    if floor:
        row["x_floor"] = took / max(median[one] for one in floor)
    if floor and asked.on == "gpu":
        slowest = max([median[one] for one in floor if one.startswith("cp")] + [transfers.get(name, 0)])
        row["x_floor"] = took / slowest
        row["x_floor_running"] = statistics.median(running[name]) / slowest
        row["limit"] = limits[name]
        if name in cub:
            row["x_cub"] = cub[name] / statistics.median(running[name])  # neither begins a process
        if name in cub_then:
            row["x_cub_then"], row["bar:x_cub_then"] = cub_then[name] / statistics.median(running[name]), 2.5
        if bars:
            bars = {"bar:x_floor_running": 1.25, "aim:x_floor_running": 1.1}
    if peer in median:
        row["x_numpy"] = median[peer] / took
    row |= {bar: value for bar, value in bars.items() if bar.split(":")[1] in row}
    rows.append(row)
    print(f"{name:22} {1e3 * took:9.1f} ms   " + "   ".join(f"{k} {v:.2f}" for k, v in row.items() if k.startswith(("x_", "bar:"))))
if asked.json:
    cpu = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), platform.processor())
    gpu = subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], capture_output=True, text=True).stdout.strip() \
        if asked.on == "gpu" else ""
    context = {"date": time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime()), "cpu": cpu, "gpu": gpu, "num_cpus": os.cpu_count(), "input_bytes": size,
               "commit": os.environ.get("LOOKBACK_COMMIT", ""), "executable": " ".join(sys.argv[1:] and ["bench/files.py", *sys.argv[1:]])}
    with open(asked.json, "w") as file:
        json.dump({"context": context, "benchmarks": rows}, file, indent=2)
        file.write("\n")
