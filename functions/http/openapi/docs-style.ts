/** The style of the API page: readable on a phone, in the dark and on paper. */
export const docsStyle = `:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 20%, transparent) }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem }
h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line) }
h3 { font-size: 1rem; margin: 1.5rem 0 0.25rem; overflow-wrap: anywhere }
code, pre { font: 0.875rem/1.4 ui-monospace, monospace }
pre { overflow-x: auto; padding: 0.75rem; border: 1px solid var(--line); border-radius: 0.25rem }
table { border-collapse: collapse; width: 100%; margin: 0.5rem 0 }
th, td { text-align: left; vertical-align: top; padding: 0.25rem 0.5rem; border-bottom: 1px solid var(--line) }
nav ul { columns: 16rem; padding-left: 1rem }
:target { outline: 2px solid; outline-offset: 0.25rem }
`
