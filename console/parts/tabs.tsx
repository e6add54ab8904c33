type Tab = {
  readonly name: string
  readonly label: string
  readonly href: string
  /** The number of things behind the tab, and as a text with the name of the things. Absent for none, and until it is known. */
  readonly count?: { readonly shown: string; readonly text: string } | undefined
}

/** Links between the parts of a page. Each part has an address of its own. */
export const Tabs = ({
  label,
  tabs,
  current,
}: {
  readonly label: string
  readonly tabs: readonly Tab[]
  readonly current: string
}) => (
  <nav class="tabs" aria-label={label}>
    {tabs.map(({ name, label: text, href, count }) => (
      <a key={name} href={href} aria-current={name === current ? 'page' : undefined}>
        {text}
        {count !== undefined && (
          <>
            {' '}
            <span class="count" aria-hidden="true" title={count.text}>
              {count.shown}
            </span>
            <span class="sr-only">{count.text}</span>
          </>
        )}
      </a>
    ))}
  </nav>
)
