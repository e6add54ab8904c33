import type { ComponentChildren } from 'preact'

/** One labelled input, with what may be typed below it. */
export const Field = ({
  label,
  hint,
  children,
}: {
  readonly label: string
  readonly hint?: string
  readonly children: ComponentChildren
}) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: the control is what it is given.
  <label class="field">
    <span>{label}</span>
    {children}
    {hint !== undefined && <small>{hint}</small>}
  </label>
)
