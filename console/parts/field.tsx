import type { ComponentChildren } from 'preact'

/** A labelled input with a hint below it. */
export const Field = ({
  label,
  hint,
  children,
}: {
  readonly label: string
  readonly hint?: string
  readonly children: ComponentChildren
}) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: the children are the control.
  <label class="field">
    <span>{label}</span>
    {children}
    {hint !== undefined && <small>{hint}</small>}
  </label>
)
