const unitsMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }
const longestMs = 100 * 365 * 86_400_000

/** Parses a duration: `90s`, `10m`, `2h`, `7d`, `4w`, at most a century. Returns milliseconds; undefined for any other text. */
export const findDurationMs = (text: string): number | undefined => {
  const [, count = '', unit = ''] = /^(\d{1,10})([smhdw])$/.exec(text.toLowerCase()) ?? []
  const milliseconds = Number(count) * (unitsMs[unit] ?? 0)
  return milliseconds > 0 && milliseconds <= longestMs ? milliseconds : undefined
}

/** Whether a text has the form of a duration, but is longer than a century. */
export const isTooLong = (text: string): boolean =>
  /^\d+[smhdw]$/i.test(text) && !/^0+.$/.test(text) && findDurationMs(text) === undefined

/** The form of a duration, for messages. */
export const durationForm = '90s, 10m, 2h, 7d or 4w'

const steps = [
  { unit: 'minute', ms: 60_000, below: 90 },
  { unit: 'hour', ms: 3_600_000, below: 36 },
  { unit: 'day', ms: 86_400_000, below: 15 },
  { unit: 'week', ms: 604_800_000, below: Number.POSITIVE_INFINITY },
] as const

/**
 * A duration in words, in the largest unit that is precise enough: `less than a minute`, `45 minutes`, `2 hours`, `3 days`, `5 weeks`.
 */
export const describeDuration = (milliseconds: number): string => {
  if (!(milliseconds >= 60_000)) return 'less than a minute'
  for (const { unit, ms, below } of steps) {
    const count = Math.round(milliseconds / ms)
    if (count < below) return `${count} ${unit}${count === 1 ? '' : 's'}`
  }
  return 'a very long time'
}
