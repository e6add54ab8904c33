import { type ComponentChildren, createContext } from 'preact'
import { useContext } from 'preact/hooks'

/** The fault of one field of a form, by the name of its input. */
export type FieldFault = { readonly name: string; readonly text: string }

export const FieldFaults = createContext<FieldFault | undefined>(undefined)

/** The id of the fault of a field, for its input. */
export const faultIdOf = (name: string): string => `fault-${name}`

/** The fault below a field, if it has one. */
export const FaultOf = ({ name }: { readonly name: string | undefined }) => {
  const fault = useContext(FieldFaults)
  if (fault === undefined || fault.name !== name) return null
  return (
    <small id={faultIdOf(fault.name)} class="bad-text" role="alert">
      {fault.text}
    </small>
  )
}

/** A labelled input with a hint and its fault below it. */
export const Field = ({
  label,
  hint,
  name,
  children,
}: {
  readonly label: string
  readonly hint?: string
  /** The name of the input, for its fault. */
  readonly name?: string
  readonly children: ComponentChildren
}) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: the children are the control.
  <label class="field">
    <span>{label}</span>
    {children}
    <FaultOf name={name} />
    {hint !== undefined && <small>{hint}</small>}
  </label>
)
