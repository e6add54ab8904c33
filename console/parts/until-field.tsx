import { words } from '../words.ts'
import { Field } from './field.tsx'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

type Span = { readonly value: string; readonly label: string }

const spans: readonly Span[] = [
  { value: String(10 * minuteMs), label: words.until.tenMinutes },
  { value: String(hourMs), label: words.until.hour },
  { value: String(dayMs), label: words.until.day },
  { value: String(7 * dayMs), label: words.until.week },
  { value: String(28 * dayMs), label: words.until.month },
  { value: '', label: words.until.forever },
]

/** Durations of API tokens. The first is chosen. */
export const tokenSpans: readonly Span[] = [
  { value: String(90 * dayMs), label: words.until.quarter },
  { value: String(30 * dayMs), label: words.until.thirtyDays },
  { value: String(365 * dayMs), label: words.until.year },
  { value: '', label: words.until.forever },
]

/** A choice of durations; read by `readUntil`. */
export const UntilField = ({ label, spans: choices = spans }: { readonly label: string; readonly spans?: readonly Span[] }) => (
  <Field label={label}>
    <select name="span">
      {choices.map(({ value, label: name }) => (
        <option key={name} value={value}>
          {name}
        </option>
      ))}
    </select>
  </Field>
)

/** The end of the duration of an `UntilField`, from now; empty for a duration without end. */
export const readUntil = (fields: FormData): { readonly until?: string } => {
  const span = Number(fields.get('span'))
  return span > 0 ? { until: new Date(Date.now() + span).toISOString() } : {}
}
