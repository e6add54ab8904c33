import { AppError } from '../../kernel/errors.ts'
import { findDurationMs } from '../sanctions/duration.ts'
import { parsePrintable } from '../sanctions/sanction-input.ts'
import { isTimeZone } from './local-clocks.ts'
import { parseDaily } from './reset-times.ts'
import { scheduleOf, type ZoneReset, type ZoneRules, type ZoneSchedule } from './zone.ts'

const broken = (pointer: string, message: string): AppError =>
  new AppError('unprocessable', 'rule-broken', 'A zone cannot have these settings.', { errors: [{ pointer, message }] })

const greetingLengthMax = 200

const inOneSpelling = (text: string): string => new Date(Date.parse(text)).toISOString()

const everyMinMs = 600_000
const everyLongestMs = 52 * 7 * 86_400_000

const checkTimeZone = (pointer: string, timeZone: string | undefined): void => {
  if (timeZone !== undefined && !isTimeZone(timeZone))
    throw broken(pointer, `${timeZone} is not a time zone; use an IANA name such as Europe/Berlin`)
}

const checkEvery = ({ every }: ZoneReset): void => {
  const daily = parseDaily(every)
  if (daily !== undefined) {
    checkTimeZone('/reset/every', daily.timeZone)
    return
  }
  const ms = findDurationMs(every) ?? 0
  if (ms < everyMinMs || ms > everyLongestMs)
    throw broken('/reset/every', 'must be 10m to 52w, or a daily time such as day at 06:00')
}

/** Normalizes the schedule. Throws AppError `unprocessable` if it closes before it opens or has already expired. */
export const checkSchedule = (schedule: ZoneSchedule, nowMs: number): ZoneSchedule => {
  const { reset, hours: _, timeZone, ...instants } = schedule
  checkTimeZone('/timeZone', timeZone)
  if (reset !== undefined) checkEvery(reset)
  const entries = Object.entries(instants).map(([key, at]) => [key, inOneSpelling(at)] as const)
  const { opensAt, closesAt, expiresAt }: ZoneSchedule = Object.fromEntries(entries)
  if (expiresAt !== undefined && Date.parse(expiresAt) <= nowMs)
    throw broken('/expiresAt', `must be in the future; the server time is ${new Date(nowMs).toISOString()}`)
  if (opensAt !== undefined && closesAt !== undefined && closesAt <= opensAt)
    throw broken('/closesAt', `must be after opensAt (${opensAt})`)
  return { ...scheduleOf(schedule), ...Object.fromEntries(entries) }
}

/** Checks that a terminal can show the texts of the rules. */
export const checkRules = ({ greeting, farewell, ...rules }: ZoneRules): ZoneRules => ({
  ...rules,
  ...(greeting !== undefined && { greeting: parsePrintable('/greeting', greeting, greetingLengthMax) }),
  ...(farewell !== undefined && { farewell: parsePrintable('/farewell', farewell, greetingLengthMax) }),
})

/** The members in lower case, sorted, without duplicates. */
export const checkMembers = (members: readonly string[]): string[] => [...new Set(members.map((id) => id.toLowerCase()))].sort()
