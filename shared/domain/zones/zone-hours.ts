import { type LocalClocks, minutesOf } from './local-clocks.ts'
import type { ZoneSchedule } from './zone.ts'

type Recurring = Pick<ZoneSchedule, 'hours' | 'timeZone'>
type Range = NonNullable<ZoneSchedule['hours']>[number]

const dayMs = 86_400_000
/** In the order of days since 1970-01-01. */
const weekdays = ['thu', 'fri', 'sat', 'sun', 'mon', 'tue', 'wed'] as const
export const timeZoneDefault = 'UTC'

const isOn = ({ days }: Range, day: number): boolean => days.some((name) => name === weekdays[((day % 7) + 7) % 7])

/** The start and end in milliseconds of the hours that start on a day. */
const spansOf = (clocks: LocalClocks, { hours = [], timeZone = timeZoneDefault }: Recurring, day: number) =>
  hours
    .filter((range) => isOn(range, day))
    .map(({ from, to }) => ({
      fromMs: clocks.instantOf(timeZone, day, minutesOf(from)),
      toMs: clocks.instantOf(timeZone, to > from ? day : day + 1, minutesOf(to)),
    }))

/** Whether the time is within the recurring hours; true without hours. */
export const isWithinHours = (clocks: LocalClocks, recurring: Recurring, nowMs: number): boolean => {
  if (recurring.hours === undefined) return true
  const today = clocks.dayAt(recurring.timeZone ?? timeZoneDefault, nowMs)
  return [today - 1, today].some((day) =>
    spansOf(clocks, recurring, day).some(({ fromMs, toMs }) => fromMs <= nowMs && nowMs < toMs),
  )
}

/** The next start or end of the recurring hours; undefined without hours. */
export const nextHoursChange = (clocks: LocalClocks, recurring: Recurring, nowMs: number): number | undefined => {
  if (recurring.hours === undefined) return undefined
  const today = clocks.dayAt(recurring.timeZone ?? timeZoneDefault, nowMs)
  let next = Number.POSITIVE_INFINITY
  // Local days start within a day of UTC days.
  for (let day = today - 1; day <= today + 8 && next > (day - 1) * dayMs; day += 1)
    for (const { fromMs, toMs } of spansOf(clocks, recurring, day))
      for (const atMs of [fromMs, toMs]) if (atMs > nowMs && atMs < next) next = atMs
  return Number.isFinite(next) ? next : undefined
}
