// Colours: seven hues that people with any colour vision tell apart (after Okabe and Ito, made darker or brighter until each has
// three times the contrast of the page), one hue in seven steps for cells, and greys. Dark pages have their own.
#include "page.hpp"

namespace lookback::app {

std::string_view page_style() {
  return R"css(:root {
  --page: #fdfdfb; --ink: #1f2124; --soft: #5a5f66; --grid: #e6e6e1; --rule: #8b9097; --band: #f3f3ee; --link: #0a5f9e;
  --c1: #0b57a4; --c2: #d65f00; --c3: #008a6e; --c4: #cc6fae; --c5: #665000; --c6: #2e93de; --c7: #2f3338;
  --h0: #edf3fa; --h1: #d5e5f3; --h2: #b2d0e8; --h3: #86b5dc; --h4: #5495c9; --h5: #2166a8; --h6: #0b3c78;
  --t0: #1f2124; --t1: #1f2124; --t2: #1f2124; --t3: #16181b; --t4: #0c0d0f; --t5: #fff; --t6: #fff;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --page: #16181b; --ink: #e7e7e3; --soft: #a6abb2; --grid: #2b2f35; --rule: #6d737b; --band: #1f2226; --link: #7dbcf0;
    --c1: #3d8ae0; --c2: #ec6f3c; --c3: #2fc79a; --c4: #cf74b4; --c5: #f5d860; --c6: #8fd0fa; --c7: #e2e3e5;
    --h0: #1d2835; --h1: #1f3b57; --h2: #23517b; --h3: #2b6a9f; --h4: #5a9bd1; --h5: #97c5e9; --h6: #dcecfa;
    --t0: #e7e7e3; --t1: #e7e7e3; --t2: #f2f2f0; --t3: #fff; --t4: #0c0d0f; --t5: #16181b; --t6: #16181b;
  }
}
* { box-sizing: border-box; }
html { color-scheme: light dark; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
main { max-width: 48rem; margin: 0 auto; padding: 2.5rem 1.5rem 4rem; overflow-wrap: anywhere; }
h1 { font-size: 1.75rem; line-height: 1.2; font-weight: 650; margin: 0 0 .75rem; text-wrap: balance; }
h2 { font-size: 1.25rem; line-height: 1.3; font-weight: 650; margin: 3.5rem 0 .5rem;
  padding-top: 1rem; border-top: 1px solid var(--grid); }
p { margin: 0 0 1rem; max-width: 42rem; }
code { font: .92em/1.5 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
code span { display: inline-block; max-width: 100%; }
sup { font-size: .7em; line-height: 0; vertical-align: .45em; }
figure { margin: 2.25rem 0 0; }
figcaption { font-size: 1.0625rem; line-height: 1.35; font-weight: 600; margin: 0 0 1rem; text-wrap: pretty; }
.note { font-size: .9375rem; color: var(--soft); margin: .75rem 0 0; }
.origin { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .125rem 1rem;
  margin: .75rem 0 0; font-size: .8125rem; color: var(--soft); }
.origin dt { font-weight: 600; }
.origin dd { margin: 0; }
details { margin-top: .75rem; font-size: .875rem; }
summary { cursor: pointer; color: var(--link); width: max-content; padding: .25rem 0; }
.scroll { overflow-x: auto; margin-top: .5rem; }
table { border-collapse: collapse; font-size: .8125rem; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
caption { text-align: left; color: var(--soft); padding: .25rem 0; }
th, td { padding: .2rem .75rem .2rem 0; text-align: right; white-space: nowrap; font-weight: 400; }
th:first-child { text-align: left; }
thead th { white-space: normal; max-width: 8.5rem; }
thead th, thead td { border-bottom: 1px solid var(--rule); font-weight: 600; vertical-align: bottom; }
tbody tr:nth-child(even) { background: var(--band); }
.chart { display: block; width: 100%; height: auto; fill: none; overflow: hidden; }
.chart.narrow { display: none; max-width: 28rem; }
.chart text { fill: var(--ink); font-family: inherit; font-variant-numeric: tabular-nums; }
.chart .tick, .chart .axis { fill: var(--soft); }
.chart .absent .cell + text, .chart .over.absent { fill: var(--soft); }
.chart .over { paint-order: stroke; stroke: var(--page); stroke-width: 4px; stroke-linejoin: round; }
.grid { stroke: var(--grid); }
.base { stroke: var(--rule); }
.c1 { --c: var(--c1); } .c2 { --c: var(--c2); } .c3 { --c: var(--c3); } .c4 { --c: var(--c4); }
.c5 { --c: var(--c5); } .c6 { --c: var(--c6); } .c7 { --c: var(--c7); } .ceiling-of { --c: var(--soft); }
.line { stroke: var(--c); stroke-width: 1.8; stroke-linejoin: round; stroke-linecap: round; }
.again .line { stroke-dasharray: 1 4; stroke-width: 2.2; }
.leader { stroke: var(--c); stroke-opacity: .55; }
.far { stroke-dasharray: 1 4; stroke-opacity: .8; }
.dot { fill: var(--c); stroke: var(--page); }
.ring { fill: var(--page); stroke: var(--c); stroke-width: 1.6; stroke-linejoin: round; }
.ceiling { stroke: var(--soft); stroke-width: 1.5; stroke-dasharray: 7 5; }
.bar { fill: var(--c); stroke: var(--page); stroke-width: 1; }
.again .bar { fill-opacity: .5; }
.h0 { --h: var(--h0); --t: var(--t0); } .h1 { --h: var(--h1); --t: var(--t1); } .h2 { --h: var(--h2); --t: var(--t2); }
.h3 { --h: var(--h3); --t: var(--t3); } .h4 { --h: var(--h4); --t: var(--t4); } .h5 { --h: var(--h5); --t: var(--t5); }
.h6 { --h: var(--h6); --t: var(--t6); }
.cell { fill: var(--h); }
.absent .cell { fill: none; stroke: var(--grid); stroke-dasharray: 3 3; }
.chart .cell + text { fill: var(--t); }
.best { stroke: var(--c2); stroke-width: 2.5; }
@media (max-width: 40rem) {
  main { padding: 1.5rem .75rem 3rem; }
  h1 { font-size: 1.375rem; }
  .chart.wide { display: none; }
  .chart.narrow { display: block; }
}
@media print {
  @page { margin: 15mm; }
  :root { --page: #fff; }
  body { font-size: 10pt; }
  main { max-width: none; padding: 0; }
  h2, figcaption, caption, thead, tbody tr:nth-child(-n+3) { break-after: avoid; }
  h2 + p { break-before: avoid; break-after: avoid; }
  figcaption, .chart, .note { break-inside: avoid; }
  .note { break-before: avoid; }
  .chart { max-width: 160mm; }
  .chart.wide { display: block; }
  .chart.narrow { display: none; }
  .scroll { overflow: visible; }
  table { font-size: 7.5pt; }
  th, td { padding-right: 1.5mm; white-space: normal; }
  tr, .origin { break-inside: avoid; }
  summary { display: none; }
  details::details-content { content-visibility: visible; display: block; height: auto; }
}
)css";
}

}  // namespace lookback::app
