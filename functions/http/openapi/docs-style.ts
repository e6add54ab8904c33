/** The style of the API page: readable on a phone, in dark mode and on paper. */
export const docsStyle = `:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 18%, transparent); --tint: color-mix(in srgb, currentColor 6%, transparent) }
* { box-sizing: border-box }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100% }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere }
h1 { margin: 0.5rem 0 }
h2 { margin: 3rem 0 1rem; padding-bottom: 0.25rem; border-bottom: 1px solid var(--line) }
h3 { font-size: 1rem; margin: 2rem 0 0.25rem }
h4 { font-size: 0.875rem; margin: 0.75rem 0 0.25rem }
p { margin: 0.5rem 0 }
code, pre { font: 0.875rem/1.45 ui-monospace, monospace }
h3 code { font-weight: 600; font-size: 1rem }
pre { white-space: pre-wrap; margin: 0.5rem 0; padding: 0.75rem; background: var(--tint); border-radius: 0.375rem }
details { margin: 0.5rem 0 }
summary { cursor: pointer; padding: 0.25rem 0 }
dl { margin: 0.5rem 0 }
dt { margin-top: 0.5rem }
dd { margin: 0 0 0 1rem }
dl.answers { display: grid; grid-template-columns: max-content 1fr; gap: 0.375rem 1rem }
dl.answers dt, dl.answers dd { margin: 0; min-width: 0 }
dl.answers dt { font-variant-numeric: tabular-nums }
small { opacity: 0.75 }
nav { columns: 18rem; column-gap: 2rem; margin: 1rem 0 }
nav details { margin: 0; break-inside: avoid }
nav summary { font-weight: 600 }
nav ul { margin: 0; padding-left: 1.25rem }
h2::first-letter, nav summary::first-letter { text-transform: uppercase }
nav a { display: inline-block; padding: 0.25rem 0 }
a:focus-visible, summary:focus-visible { outline: 2px solid; outline-offset: 0.125rem }
:target { outline: 2px solid; outline-offset: 0.25rem }
`
