/** The style of the API page, in the look of the console: readable on a phone, in dark mode and on paper. */
export const docsStyle = `:root {
  color-scheme: light dark;
  --ground: light-dark(#f6f5f2, #15171a);
  --card: light-dark(#fff, #1d2024);
  --side: light-dark(#e9e6df, #101214);
  --line: light-dark(#d8d4cb, #33383f);
  --text: light-dark(#1f2328, #e6e6e3);
  --quiet: light-dark(#5c5f66, #a0a4ab);
  --accent: light-dark(#0b6b57, #4cc9a7);
  --on-accent: light-dark(#fff, #08221b);
  --good: light-dark(#17703a, #5fd08a);
  --warn: light-dark(#7a4d00, #f0b95a);
  --bad: light-dark(#a91d24, #ff8f8a);
  --blue: light-dark(#1d5fa8, #7db8f5);
  --radius: 0.5rem;
  scroll-padding-top: 1rem;
}
* { box-sizing: border-box }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100% }
body { display: grid; grid-template-columns: 18rem minmax(0, 1fr); margin: 0; background: var(--ground); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
a { color: var(--accent) }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
.skip { position: absolute; left: -100vw }
.skip:focus { left: 1rem; z-index: 3; padding: 0.5rem; background: var(--card) }
.side { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1rem; background: var(--side); border-right: 1px solid var(--line) }
.brand { display: inline-flex; gap: 0.5rem; align-items: center; font-weight: 700; color: inherit; text-decoration: none }
.gate { width: 1.4rem; height: 1.4rem; border: 0.2rem solid var(--accent); border-bottom: 0; border-radius: 0.7rem 0.7rem 0 0; background: repeating-linear-gradient(90deg, var(--accent) 0 0.12rem, transparent 0.12rem 0.3rem) }
nav ul { margin: 0; padding: 0; list-style: none }
nav a { display: flex; gap: 0.4rem; align-items: baseline; padding: 0.2rem 0.4rem; border-radius: var(--radius); color: inherit; font-size: 0.875rem; text-decoration: none }
nav a:hover { background: var(--card) }
nav a[aria-current] { background: var(--card); box-shadow: inset 3px 0 var(--accent) }
nav summary { padding: 0.4rem; font-weight: 600; cursor: pointer }
nav .top { margin: 0.8rem 0 }
h2::first-letter, nav summary::first-letter { text-transform: uppercase }
main { min-width: 0; padding: 1.5rem clamp(1rem, 3vw, 2.5rem) 4rem }
main:focus { outline: 0 }
h1 { margin: 0 0 0.5rem; font-size: 1.6rem }
h2 { margin: 3rem 0 0.5rem; font-size: 1.35rem }
h3 { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: baseline; margin: 0 0 0.5rem; font-size: 1rem }
h4 { margin: 1.2rem 0 0.3rem; font-size: 0.9rem }
p { max-width: 75ch; margin: 0.5rem 0 }
small, .type, figcaption { color: var(--quiet); font-weight: 400 }
code, pre { font: 0.875rem/1.45 ui-monospace, monospace }
h3 code { font-size: 1rem }
pre { margin: 0; padding: 0.75rem; white-space: pre-wrap }
.try pre { max-height: 26rem; overflow: auto }
.operation { margin: 1.2rem 0; padding: 1rem; border: 1px solid var(--line); border-radius: var(--radius); background: var(--card) }
.columns { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 0 1.5rem; align-items: start }
.examples { position: sticky; top: 1rem }
figure { margin: 0 0 0.8rem; border: 1px solid var(--line); border-radius: var(--radius); background: var(--ground); overflow: hidden }
figcaption { display: flex; gap: 0.5rem; align-items: center; min-height: 2.25rem; padding: 0.2rem 0.3rem 0.2rem 0.75rem; border-bottom: 1px solid var(--line); font-size: 0.85rem }
.verb { flex: none; min-width: 3.9em; color: var(--blue); font: 700 0.75rem/1.4 ui-monospace, monospace }
.verb.post { color: var(--good) }
.verb.put, .verb.patch { color: var(--warn) }
.verb.delete { color: var(--bad) }
.badge { display: inline-block; padding: 0 0.6rem; border: 1px solid var(--line); border-radius: 1rem; font-size: 0.85rem }
.badge.open { border-color: var(--good); color: var(--good) }
.good { color: var(--good) }
.bad { color: var(--bad) }
dl { margin: 0.5rem 0 }
dt { margin-top: 0.5rem }
dt b { color: var(--warn); font-size: 0.8rem }
dd { margin: 0 0 0 1rem }
.fields .fields { margin: 0.3rem 0; padding-left: 0.6rem; border-left: 2px solid var(--line) }
dl.answers { display: grid; grid-template-columns: max-content 1fr; gap: 0.375rem 1rem }
dl.answers > dt, dl.answers > dd { margin: 0; min-width: 0 }
details { margin: 0.5rem 0 }
summary { padding: 0.25rem 0; cursor: pointer }
:target { outline: 2px solid var(--accent); outline-offset: 0.25rem }
button, input, textarea { min-height: 2.25rem; padding: 0.3rem 0.7rem; border: 1px solid light-dark(#8b877d, #6a717b); border-radius: var(--radius); background: var(--card); color: inherit; font: inherit }
button { border-color: var(--line); cursor: pointer }
button:hover { border-color: var(--accent) }
button.main { background: var(--accent); border-color: var(--accent); color: var(--on-accent); font-weight: 600 }
figcaption > :last-child { margin-left: auto }
figcaption button { min-height: 1.75rem; padding: 0 0.6rem; font-size: 0.85rem; color: var(--text) }
input, textarea { width: 100% }
textarea { font: 0.875rem/1.45 ui-monospace, monospace }
label { display: block; margin: 0.5rem 0; font-size: 0.9rem }
.try { margin: 0.8rem 0; padding: 0.8rem; border: 1px solid var(--line); border-radius: var(--radius) }
.try h4 { margin: 0 }
.search { margin: 0.8rem 0 0.4rem }
[hidden] { display: none !important }
@media (width < 80rem) { .columns { grid-template-columns: minmax(0, 1fr) } .examples { position: static } }
.menu { display: none }
@media (width < 56rem) {
  :root { scroll-padding-top: 7.5rem }
  body { display: block }
  .side { z-index: 2; display: grid; grid-template-columns: 1fr max-content; gap: 0.4rem; align-items: center; height: auto; max-height: 100dvh; padding: 0.5rem 0.75rem; border-right: 0; border-bottom: 1px solid var(--line) }
  .side > * { grid-column: 1 / -1; margin: 0 }
  .side > .brand { grid-column: 1 }
  .menu { display: block; grid-column: 2 !important; grid-row: 1 }
  .side.closed nav { display: none }
  nav a { padding: 0.6rem 0.4rem }
  main { padding: 1rem 0.75rem 3rem }
  h2 { margin-top: 2rem }
  .operation { padding: 0.75rem }
  h3 code, code, pre { font-size: 0.8125rem }
  pre { padding: 0.6rem }
  .verb { min-width: 0 }
  nav .verb { min-width: 3.9em }
  dd { margin-left: 0.5rem }
  dl.answers { grid-template-columns: minmax(0, 1fr) }
}
@media print { .side { display: none } body { display: block } }
`
