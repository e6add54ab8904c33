type Tab = { readonly name: string; readonly label: string; readonly href: string }

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
    {tabs.map(({ name, label: text, href }) => (
      <a key={name} href={href} aria-current={name === current ? 'page' : undefined}>
        {text}
      </a>
    ))}
  </nav>
)
