type Chip<Name extends string> = { readonly name: Name; readonly label: string; readonly count?: number }

/** Filters as buttons that stay pressed. Several narrow the list together. */
export const FilterChips = <Name extends string>({
  label,
  chips,
  on,
  change,
}: {
  readonly label: string
  readonly chips: readonly Chip<Name>[]
  readonly on: ReadonlySet<string>
  readonly change: (on: ReadonlySet<string>) => void
}) => (
  // biome-ignore lint/a11y/useSemanticElements: filters are not a part of a form.
  <div class="chips" role="group" aria-label={label}>
    {chips.map(({ name, label: text, count }) => (
      <button
        key={name}
        type="button"
        class="chip"
        aria-pressed={on.has(name)}
        onClick={() => {
          const next = new Set(on)
          if (!next.delete(name)) next.add(name)
          change(next)
        }}
      >
        {text}
        {count !== undefined && <span class="chip-count">{count}</span>}
      </button>
    ))}
  </div>
)
