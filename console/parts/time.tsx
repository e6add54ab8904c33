import { words } from '../words/of-frame.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

const near = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })
const local = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** "5 minutes ago", "in 2 days"; beyond a month the date. */
const describeTime = (at: Date, nowMs: number): string => {
  const afterMs = at.getTime() - nowMs
  const distance = Math.abs(afterMs)
  if (distance < minuteMs) return afterMs > 0 ? words.time.soon : words.time.justNow
  if (distance < hourMs) return near.format(Math.round(afterMs / minuteMs), 'minute')
  if (distance < dayMs) return near.format(Math.round(afterMs / hourMs), 'hour')
  if (distance < 31 * dayMs) return near.format(Math.round(afterMs / dayMs), 'day')
  return local.format(at)
}

/** An instant in local time, with UTC on hover; `exact` shows the date at once. */
export const Time = ({ at, exact = false }: { readonly at: string; readonly exact?: boolean }) => {
  const date = new Date(at)
  return (
    <time dateTime={at} title={`${local.format(date)} · ${date.toISOString().replace('T', ' ').slice(0, 19)} UTC`}>
      {exact ? local.format(date) : describeTime(date, Date.now())}
    </time>
  )
}
