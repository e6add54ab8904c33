import { useId, useState } from 'preact/hooks'
import { describeDefault, findChoices, type Schema } from '../schema.ts'
import { words } from '../words.ts'

type Props = {
  readonly label: string
  /** The ids of its description and of its faults. */
  readonly describedBy?: string
  readonly isInvalid: boolean
  readonly schema: Schema
  readonly value: unknown
  readonly isReadOnly: boolean
  /** Undefined removes the key, so that the default applies. */
  readonly change: (value: unknown) => void
}

const isNumeric = ({ type }: Schema): boolean => type === 'integer' || type === 'number'

const readInput = (schema: Schema, text: string): unknown => {
  if (text === '') return undefined
  return isNumeric(schema) && text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}

/** "1 to 60" for a number with limits. */
const describeLimits = ({ minimum, maximum }: Schema): string | undefined =>
  typeof minimum === 'number' && typeof maximum === 'number' ? words.configs.limits(minimum, maximum) : undefined

const Switch = ({ label, describedBy, isInvalid, schema, value, isReadOnly, change }: Props) => {
  const isOn = (typeof value === 'boolean' ? value : schema.default) === true
  return (
    <label class="switch">
      <input
        type="checkbox"
        role="switch"
        aria-label={label}
        aria-describedby={describedBy}
        aria-invalid={isInvalid}
        checked={isOn}
        aria-checked={isOn}
        disabled={isReadOnly}
        onChange={({ currentTarget }) => change(currentTarget.checked)}
      />
      <span aria-hidden="true">{isOn ? words.configs.on : words.configs.off}</span>
    </label>
  )
}

const Choice = ({
  label,
  describedBy,
  isInvalid,
  schema,
  value,
  isReadOnly,
  change,
  choices,
}: Props & { readonly choices: readonly string[] }) => {
  const fallback = describeDefault(schema)
  const current = value === undefined || value === null ? '' : String(value)
  return (
    <select
      aria-label={label}
      aria-describedby={describedBy}
      aria-invalid={isInvalid}
      disabled={isReadOnly}
      value={current}
      onChange={({ currentTarget: { value: chosen } }) => change(chosen === '' ? undefined : chosen)}
    >
      <option value="">{fallback === '' ? '—' : words.configs.theDefault(fallback)}</option>
      {[...choices, ...(current === '' || choices.includes(current) ? [] : [current])].map((choice) => (
        <option key={choice} value={choice}>
          {choice}
        </option>
      ))}
    </select>
  )
}

/** One value of a form. The input keeps its raw text until it loses focus, so that "1." can become "1.5". */
export const TypedInput = (props: Props) => {
  const { label, describedBy, isInvalid, schema, value, isReadOnly, change } = props
  const [typed, setTyped] = useState<string>()
  const limitsId = useId()
  if (schema.type === 'boolean' && (value === undefined || value === null || typeof value === 'boolean'))
    return <Switch {...props} />
  const choices = schema.type === 'boolean' ? ['true', 'false'] : findChoices(schema)
  if (choices !== undefined) return <Choice {...props} choices={choices} />
  const shown = typed ?? (value === undefined || value === null ? '' : String(value))
  const limits = describeLimits(schema)
  const common = {
    'aria-label': label,
    'aria-describedby': [describedBy, limits && limitsId].filter(Boolean).join(' ') || undefined,
    'aria-invalid': isInvalid,
    readOnly: isReadOnly,
    value: shown,
    placeholder: describeDefault(schema),
    autocomplete: 'off',
    onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement | HTMLTextAreaElement }) => {
      setTyped(currentTarget.value)
      change(readInput(schema, currentTarget.value))
    },
    onBlur: () => setTyped(undefined),
  } as const
  if (shown.includes('\n')) return <textarea rows={4} spellcheck={false} {...common} />
  return (
    <span class="form-typed">
      <input
        inputMode={isNumeric(schema) ? 'decimal' : 'text'}
        class={isNumeric(schema) ? 'short' : undefined}
        spellcheck={false}
        {...common}
      />
      {limits !== undefined && <small id={limitsId}>{limits}</small>}
    </span>
  )
}
