#!/usr/bin/env bash
# A page of figures, looked at in a browser without a screen: at 360, 768 and 1280 pixels, light and dark. A copy of the page gets the
# script below; the page itself has none. What is wrong is said with its figure and its text, and the exit status is 1.
#   tests/report/check.sh page.html OUTDIR      checks, and writes pictures (light and dark, 360 and 1280) and print.pdf to OUTDIR
#   tests/report/check.sh --self page.html      breaks copies of a page of lines and cells on purpose; each must be found
# Needs Debian's package chromium, which it installs as root; exits 77 where that cannot be had.
set -euo pipefail

find_browser() {
  browser=$(command -v chromium || true)
  if [ -n "$browser" ]; then return; fi
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    { apt-get -qq update && apt-get -qq -y install --no-install-recommends chromium; } >/dev/null 2>&1 || true
  fi
  browser=$(command -v chromium || true)
  if [ -z "$browser" ]; then echo "SKIPPED: chromium is not installed, and cannot be here"; exit 77; fi
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# browse SCHEME WIDTH HEIGHT ARGUMENT...: scheme is light or dark
browse() {
  local scheme=$1 width=$2 height=$3 number=1
  shift 3
  if [ "$scheme" = dark ]; then number=0; fi
  timeout 120 "$browser" --headless --no-sandbox --disable-gpu --disable-background-networking --no-first-run --hide-scrollbars \
    --user-data-dir="$work/profile" --host-resolver-rules="MAP * ~NOTFOUND" --blink-settings=preferredColorScheme=$number \
    --window-size="$width,$height" --enable-logging=stderr "$@" 2>"$work/log"
}

# frame PAGE WIDTH HEIGHT: a page that shows another one in a frame, because no window is narrower than 500 pixels. What the script in
# the frame finds comes as a message.
frame() {
  cat >"$work/frame.html" <<END
<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>frame</title><body style="margin:0">
<iframe src="file://$1" style="border:0;display:block;width:$2px;height:$3px"></iframe><pre id="found">nothing came</pre>
<script>addEventListener('message', e => { document.getElementById('found').textContent = e.data })</script></body></html>
END
}

# injected PAGE: a copy that checks itself, and that may load nothing: what it asks for is an error on the console.
injected() {
  local rules="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
  local policy="<meta http-equiv=\"Content-Security-Policy\" content=\"$rules\">"
  awk -v policy="$policy" '!done && sub(/<head>/, "<head>" policy) { done = 1 } { print }' "$1"
  echo "<script>"
  cat "$here/check.js"
  echo "</script>"
}

# check PAGE: says what is wrong with it; 1 if anything is
check() {
  local bad=0 found
  if grep -nEi '<script|<link|@import|@font-face|<iframe|<object|<embed|url\(|(src|href)=' "$1" | cut -c1-160 | grep .; then
    echo "the page: not self-contained: the lines above"
    bad=1
  fi
  if ! head -c 15 "$1" | grep -qi '<!DOCTYPE html>'; then echo "the page: does not begin with <!DOCTYPE html>" && bad=1; fi
  injected "$1" >"$work/copy.html"
  for scheme in $schemes; do
    for width in $widths; do
      frame "$work/copy.html" "$width" 900
      found=$(browse "$scheme" 1400 1000 --virtual-time-budget=4000 --dump-dom "file://$work/frame.html" |
              awk 'sub(/.*<pre id="found">/, "") { inside = 1 }
                   inside { if (sub(/<\/pre>.*/, "")) last = 1; print; if (last) inside = 0 }' |
              sed 's/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g')
      if [ "$(head -1 <<<"$found")" != "looked at all of it" ]; then bad=1; fi
      sed -n '1{/looked at all of it/d}; /./p' <<<"$found" | sed "s/^/$width px, $scheme: /"
      if [ "$(wc -l <<<"$found")" -gt 1 ]; then bad=1; fi
      if grep CONSOLE "$work/log" | sed "s/.*CONSOLE[^]]*\]/$width px, $scheme: console:/" | grep .; then bad=1; fi
    done
  done
  return $bad
}

# pictures PAGE OUTDIR: each as high as the page is
pictures() {
  local height
  mkdir -p "$2"
  { cat "$1"; echo "<script>parent.postMessage(document.documentElement.scrollHeight, '*')</script>"; } >"$work/tall.html"
  for scheme in light dark; do
    for width in 360 1280; do
      frame "$work/tall.html" "$width" 900
      height=$(browse "$scheme" 1400 1000 --virtual-time-budget=2000 --dump-dom "file://$work/frame.html" |
               sed -nE 's/.*id="found">([0-9]+).*/\1/p')
      frame "$(realpath "$1")" "$width" "$height"
      browse "$scheme" "$width" "$height" --screenshot="$2/$scheme-$width.png" "file://$work/frame.html" >/dev/null
    done
  done
  browse light 1280 1000 --no-pdf-header-footer --print-to-pdf="$2/print.pdf" "file://$(realpath "$1")" >/dev/null
}

# broken WHAT SED EXPECTED: a copy of the page, broken by the sed script; what the check says must match EXPECTED
broken() {
  sed -E "$2" "$original" >"$work/broken.html"
  if cmp -s "$original" "$work/broken.html"; then echo "$1: the page could not be broken so" && failures=$((failures + 1)) && return; fi
  if check "$work/broken.html" >"$work/said" || ! grep -qE "$3" "$work/said"; then
    echo "$1: NOT FOUND, the check said:"
    head -5 "$work/said"
    failures=$((failures + 1))
  else echo "$1: found: $(grep -m1 -E "$3" "$work/said" | cut -c1-150)"; fi
}

self() {
  original=$1 failures=0
  check "$original"
  schemes=light widths=360  # one look is enough to find what is broken everywhere
  broken "a script that fails" 's|</body>|<script>nowhere()</script></body>|' 'console:.*nowhere'
  broken "a picture from the network" 's|</h1>|</h1><img alt="" src="https://example.com/a.png">|' 'console:.*example.com'
  broken "letters over letters" 's|(<text class="tick" x=")[0-9.]+(" y=")[0-9.]+|\1200\2100|' 'overlap'
  broken "letters outside of the picture" 's|(<text x=")[0-9.]+|\1700|' 'outside of the picture'
  broken "a picture without data" 's/class="([a-z]+) mark"/class="\1"/' 'no marks'
  broken "text wider than the page" 's|<h1>|<h1 style="white-space:nowrap">wider than any phone, |' 'wider than the page'
  broken "a table too wide without a box that scrolls" 's|<div class="scroll"|<div|; s|<th scope="col">|&wide_words_without_end_|g' 'wider than the page'
  broken "pale letters" 's|--soft: #[0-9a-f]+|--soft: #b8bcc2|' 'contrast'
  broken "pale letters in cells" 's|--t5: #fff|--t5: #5495c9|' 'contrast'
  broken "a figure without a title" 's|<figcaption>.*</figcaption>||' 'no title'
  broken "a figure without numbers" 's|<tbody>|<tbody hidden>|; s|<tr><th scope="row">.*||' 'no numbers'
  broken "a picture without a name" 's|role="img"||' 'no name'
  broken "a page for wide screens alone" 's|<meta name="viewport".*>||' 'viewport'
  broken "letters too small to read" 's|font-size="12"|font-size="7"|' 'too small'
  [ "$failures" = 0 ] || { echo "$failures ways to break a page are not found" && exit 1; }
}

here=$(cd "$(dirname "$0")" && pwd)
if [ $# -ne 2 ]; then sed -n '4,5s/^#  *//p' "$0" >&2 && exit 64; fi
find_browser
schemes="light dark" widths="360 768 1280"
if [ "$1" = --self ]; then self "$2" && exit; fi
status=0
check "$1" || status=1
pictures "$1" "$2"
if [ "$status" = 0 ]; then echo "$1: nothing wrong at 360, 768 and 1280 pixels, light and dark"; fi
exit "$status"
