const units = ['m', 'h', 'd', 'w'] as const
/** Daily by the clock, or every so many units. */
export const ways = ['day', ...units] as const
type Way = (typeof ways)[number]

/** A period as the form shows it: daily by the clock, or a number of units. */
export type ResetPeriod = {
  readonly way: Way
  readonly amount: number
  readonly time: string
  /** Empty: the time zone of the zone. */
  readonly timeZone: string
}

export const isWay = (text: string | undefined): text is Way => ways.some((way) => way === text)

/** Reads `every` of a reset. Seconds become whole minutes, because the form has no seconds. */
export const parsePeriod = (every: string): ResetPeriod => {
  const [, time, timeZone = ''] = /^day at (\d\d:\d\d)(?: (\S+))?$/.exec(every) ?? []
  if (time !== undefined) return { way: 'day', amount: 1, time, timeZone }
  const [, amount, unit] = /^(\d+)([smhdw])$/.exec(every) ?? []
  const fallback = { time: '06:00', timeZone: '' }
  if (unit === 's') return { way: 'm', amount: Math.round(Number(amount) / 60), ...fallback }
  return isWay(unit) ? { way: unit, amount: Number(amount), ...fallback } : { way: 'day', amount: 1, ...fallback }
}

/** Prints a period as the API has it. */
export const printPeriod = ({ way, amount, time, timeZone }: ResetPeriod): string =>
  way === 'day' ? `day at ${time}${timeZone === '' ? '' : ` ${timeZone}`}` : `${amount}${way}`
