import { Type } from '@sinclair/typebox'
import { AppError } from '../../shared/kernel/errors.ts'

const Instant = (description: string) => Type.Optional(Type.String({ format: 'date-time', maxLength: 64, description }))

/** The query fields of a time range, for a list of `items`. Both ends are included. */
export const timeRangeOf = (items: string) => ({
  from: Instant(`Only ${items} at or after this time.`),
  to: Instant(`Only ${items} at or before this time.`),
})

type TimeRange = { readonly from?: string | undefined; readonly to?: string | undefined }

const refuse = (pointer: string, detail: string, message: string): AppError =>
  new AppError('invalid', 'bad-request', detail, { errors: [{ pointer, message }] })

/** Throws AppError `invalid` for a leap second, which JavaScript cannot read. */
const readTime = (name: 'from' | 'to', text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  const ms = Date.parse(text)
  if (!Number.isNaN(ms)) return ms
  throw refuse(`/${name}`, `\`${name}\` is not a time. Use a time such as 2026-11-27T12:00:00Z.`, 'must be a date and time')
}

/** A time range in milliseconds. Throws AppError `invalid` if `to` is before `from`. */
export const readTimeRange = ({
  from,
  to,
}: TimeRange): { readonly fromMs: number | undefined; readonly toMs: number | undefined } => {
  const [fromMs, toMs] = [readTime('from', from), readTime('to', to)]
  if (fromMs !== undefined && toMs !== undefined && fromMs > toMs)
    throw refuse('/to', '`to` is before `from`. Choose a later `to`.', 'must not be before from')
  return { fromMs, toMs }
}
