const minuteMs = 60_000
const dayMs = 86_400_000
/** Offsets of time zones change only at quarters of an hour. */
const quarterMs = 15 * minuteMs
const offsetsRemembered = 10_000

const createOffsetFormat = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })

/** Whether Node knows a time zone by that IANA name. */
export const isTimeZone = (name: string): boolean => {
  try {
    createOffsetFormat(name)
    return true
  } catch {
    return false
  }
}

/** Minutes since midnight of a time such as `18:05`. */
export const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))

/** Local clocks of time zones. Days are counted since 1970-01-01, which was a Thursday. */
export type LocalClocks = {
  dayAt(timeZone: string, atMs: number): number
  /**
   * The instant of that local day and minute, in milliseconds since the epoch. A time that occurs twice means its first occurrence. A
   * skipped time means the next one that occurs.
   */
  instantOf(timeZone: string, day: number, minutes: number): number
}

/** Caches look-ups. One instance serves all zones of a process. */
export const createLocalClocks = (): LocalClocks => {
  const formats = new Map<string, Intl.DateTimeFormat>()
  const offsets = new Map<string, number>()

  const formatOf = (timeZone: string): Intl.DateTimeFormat => {
    const cached = formats.get(timeZone)
    if (cached !== undefined) return cached
    // A stored zone may name a time zone that this version of Node does not know.
    const format = createOffsetFormat(isTimeZone(timeZone) ? timeZone : 'UTC')
    formats.set(timeZone, format)
    return format
  }

  const offsetAt = (timeZone: string, atMs: number): number => {
    const quarter = Math.floor(atMs / quarterMs)
    const key = `${timeZone} ${quarter}`
    const cached = offsets.get(key)
    if (cached !== undefined) return cached
    const [, sign = '+', hours = '0', minutes = '0'] =
      /GMT(?:([+-])(\d\d):(\d\d))?/.exec(formatOf(timeZone).format(quarter * quarterMs)) ?? []
    const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * minuteMs
    if (offsets.size >= offsetsRemembered) offsets.clear()
    offsets.set(key, offset)
    return offset
  }

  return {
    dayAt: (timeZone, atMs) => Math.floor((atMs + offsetAt(timeZone, atMs)) / dayMs),
    instantOf: (timeZone, day, minutes) => {
      const wall = day * dayMs + minutes * minuteMs
      const before = offsetAt(timeZone, wall - dayMs)
      const after = offsetAt(timeZone, wall + dayMs)
      const early = wall - before
      if (offsetAt(timeZone, early) === before) return early
      const late = wall - after
      if (offsetAt(timeZone, late) === after) return late
      let at = Math.ceil(Math.min(early, late) / quarterMs) * quarterMs
      while (offsetAt(timeZone, at) !== after && at < wall + dayMs) at += quarterMs
      return at
    },
  }
}
