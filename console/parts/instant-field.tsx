import { words } from '../words/of-frame.ts'
import { Field } from './field.tsx'

/** An instant as the browser's own field has it: local time, to the minute. */
const toLocal = (at: string | undefined): string => {
  if (at === undefined) return ''
  const date = new Date(at)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** Date and time in local time, or nothing; read by `readInstant`. */
export const InstantField = ({
  name,
  label,
  at,
}: {
  readonly name: string
  readonly label: string
  readonly at: string | undefined
}) => (
  <Field label={label} hint={words.time.local}>
    <input type="datetime-local" name={name} defaultValue={toLocal(at)} />
  </Field>
)

/** The value of an `InstantField`. An unchanged field keeps its seconds, which it does not show. */
export const readInstant = (fields: FormData, name: string, before: string | undefined): string | undefined => {
  const text = String(fields.get(name) ?? '')
  if (text === '') return undefined
  return text === toLocal(before) ? before : new Date(text).toISOString()
}
