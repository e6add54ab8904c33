import { useState } from 'preact/hooks'
import { describeDefault, findChoices, type Schema } from '../schema.ts'

type Props = {
  readonly label: string
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

const Choice = ({ label, schema, value, isReadOnly, change, choices }: Props & { readonly choices: readonly string[] }) => {
  const fallback = describeDefault(schema)
  const current = value === undefined || value === null ? '' : String(value)
  return (
    <select
      aria-label={label}
      disabled={isReadOnly}
      value={current}
      onChange={({ currentTarget: { value: chosen } }) =>
        change(chosen === '' ? undefined : schema.type === 'boolean' ? chosen === 'true' : chosen)
      }
    >
      <option value="">{fallback === '' ? '—' : `(${fallback})`}</option>
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
  const { label, schema, value, isReadOnly, change } = props
  const [typed, setTyped] = useState<string>()
  const choices = schema.type === 'boolean' ? ['true', 'false'] : findChoices(schema)
  if (choices !== undefined) return <Choice {...props} choices={choices} />
  const shown = typed ?? (value === undefined || value === null ? '' : String(value))
  const common = {
    'aria-label': label,
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
  return <input inputMode={isNumeric(schema) ? 'decimal' : 'text'} spellcheck={false} {...common} />
}
