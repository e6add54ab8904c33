import { findDurationMs } from '../sanctions/duration.ts'
import { type LocalClocks, minutesOf } from './local-clocks.ts'
import type { ZoneSchedule } from './zone.ts'
import { timeZoneDefault } from './zone-hours.ts'

export type DailyTime = { readonly time: string; readonly timeZone: string | undefined }

/** `day at 06:00` or `day at 06:00 Europe/Berlin`; undefined for a duration. */
export const parseDaily = (every: string): DailyTime | undefined => {
  const [, time, timeZone] = /^day at (\d\d:\d\d)(?: (\S+))?$/.exec(every) ?? []
  return time === undefined ? undefined : { time, timeZone }
}

/** The period of resets. A daily one includes its time zone, so that another time zone is another period. */
export const resetPeriodOf = ({
  reset,
  timeZone,
}: { readonly reset: { readonly every: string } } & Pick<ZoneSchedule, 'timeZone'>): string => {
  const daily = parseDaily(reset.every)
  return daily === undefined ? reset.every : `day at ${daily.time} ${daily.timeZone ?? timeZone ?? timeZoneDefault}`
}

/** The first reset after `nowMs` for a period from `resetPeriodOf`. Durations count from `fromMs`. */
export const nextResetAt = (
  clocks: LocalClocks,
  period: string,
  { fromMs, nowMs }: { readonly fromMs: number; readonly nowMs: number },
): number => {
  const daily = parseDaily(period)
  if (daily === undefined) {
    const periodMs = findDurationMs(period) ?? 600_000
    return fromMs + (Math.floor((nowMs - fromMs) / periodMs) + 1) * periodMs
  }
  const { time, timeZone = timeZoneDefault } = daily
  const today = clocks.dayAt(timeZone, nowMs)
  const coming = [0, 1, 2].map((ahead) => clocks.instantOf(timeZone, today + ahead, minutesOf(time)))
  return Math.min(...coming.filter((atMs) => atMs > nowMs))
}
