/** The minutes at which a schedule runs. */
export type Cron = {
  /** Whether the schedule runs in this minute of local time. */
  matches(local: LocalMinute): boolean
}

/** A minute of the clock on the wall. `weekday` is 0 on Sunday. */
export type LocalMinute = {
  readonly minute: number
  readonly hour: number
  readonly day: number
  readonly month: number
  readonly weekday: number
}

type Field = { readonly isAny: boolean; readonly values: ReadonlySet<number> }
type Range = { readonly name: string; readonly least: number; readonly most: number }

const ranges: readonly Range[] = [
  { name: 'minute', least: 0, most: 59 },
  { name: 'hour', least: 0, most: 23 },
  { name: 'day of the month', least: 1, most: 31 },
  { name: 'month', least: 1, most: 12 },
  { name: 'day of the week', least: 0, most: 7 },
]

const names: Readonly<Record<string, number>> = Object.fromEntries(
  [
    ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'].map((name, at) => [name, at] as const),
    ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'].map(
      (name, at) => [name, at + 1] as const,
    ),
  ].flat(),
)

const readNumber = (text: string): number => (/^\d+$/.test(text) ? Number(text) : (names[text.toLowerCase()] ?? Number.NaN))

const readField = (text: string, { name, least, most }: Range): Field => {
  const values = new Set<number>()
  const refuse = (): never => {
    throw new RangeError(`"${text}" is not a ${name}: use ${least} to ${most}, *, lists (1,2), ranges (1-5) and steps (*/5)`)
  }
  for (const part of text.split(',')) {
    const [, range = '', step = '1'] = /^([^/]+)(?:\/(\d+))?$/.exec(part) ?? refuse()
    const [from = '', to = part.includes('/') ? String(most) : from] =
      range === '*' ? [String(least), String(most)] : range.split('-')
    const [first, last, by] = [readNumber(from), readNumber(to), Number(step)]
    if (!(first >= least && last <= most && first <= last && by >= 1)) refuse()
    for (let value = first; value <= last; value += by) values.add(name === 'day of the week' ? value % 7 : value)
  }
  return { isAny: text === '*', values }
}

/**
 * Reads a schedule of five fields: minute, hour, day of the month, month, day of the week. If both kinds of days are given, one of
 * them is enough, as in cron. Throws RangeError that names the wrong field.
 */
export const parseCron = (text: string): Cron => {
  const fields = text.trim().split(/\s+/)
  if (fields.length !== ranges.length)
    throw new RangeError(`"${text}" needs five fields: minute, hour, day of the month, month, day of the week`)
  const read = ranges.map((range, at) => readField(fields[at] ?? '', range))
  const [minutes, hours, days, months, weekdays] = read
  const has = (field: Field | undefined, value: number): boolean => field?.values.has(value) === true
  return {
    matches: ({ minute, hour, day, month, weekday }) => {
      if (!has(minutes, minute) || !has(hours, hour) || !has(months, month)) return false
      const [isDay, isWeekday] = [has(days, day), has(weekdays, weekday)]
      return days?.isAny === true || weekdays?.isAny === true ? isDay && isWeekday : isDay || isWeekday
    },
  }
}

const minuteMs = 60_000
/** Runs that were missed for longer than this are not made up, for example while the process slept. */
const catchUpMinutes = 180

/** A number that grows with the local time, for comparison. */
const orderOf = (atMs: number): number => {
  const at = new Date(atMs)
  return Date.UTC(at.getFullYear(), at.getMonth(), at.getDate(), at.getHours(), at.getMinutes()) / minuteMs
}

/** The local minute of such a number. */
const minuteOfOrder = (order: number): LocalMinute => {
  const at = new Date(order * minuteMs)
  return {
    minute: at.getUTCMinutes(),
    hour: at.getUTCHours(),
    day: at.getUTCDate(),
    month: at.getUTCMonth() + 1,
    weekday: at.getUTCDay(),
  }
}

/**
 * Decides when schedules run. Each minute of local time counts once. When the clock goes back an hour, its minutes are not repeated.
 * When it goes forward, the skipped minutes count with the next one.
 */
export const createCronClock = (startMs: number) => {
  let last = orderOf(startMs)
  let lastMs = startMs
  return {
    /** The minutes that have begun since the last call, as local time. */
    take: (nowMs: number): readonly LocalMinute[] => {
      const now = orderOf(nowMs)
      const elapsed = Math.round((nowMs - lastMs) / minuteMs)
      if (now <= last) return []
      // A longer gap is not a change of the clock: the process slept, and missed runs are not made up.
      const isShift = now - last > elapsed + 1
      const first = isShift && now - last <= catchUpMinutes ? last + 1 : now
      last = now
      lastMs = nowMs
      return Array.from({ length: now - first + 1 }, (_, at) => minuteOfOrder(first + at))
    },
  }
}
