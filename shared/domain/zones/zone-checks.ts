import { limitFaults } from '../../kernel/describe-fault.ts'
import { AppError } from '../../kernel/errors.ts'
import { type ChunkPos, chunkKey } from '../../rules/positions.ts'
import { findDurationMs } from '../sanctions/duration.ts'
import { parsePrintable } from '../sanctions/sanction-input.ts'
import type { BlocksConfig } from '../worlds/blocks-config.ts'
import { airBlock } from '../worlds/chunks/block-registry.ts'
import { isTimeZone } from './local-clocks.ts'
import { parseDaily } from './reset-times.ts'
import {
  type ShortcutBarPages,
  scheduleOf,
  type Zone,
  type ZoneChunks,
  type ZoneReset,
  type ZoneRules,
  type ZoneSchedule,
} from './zone.ts'

/** Throws AppError `unprocessable`, slug `rule-broken`, unless `yMin` is below `yMax`. */
export const checkHeights = ({ yMin, yMax }: Pick<Zone, 'yMin' | 'yMax'>): void => {
  if (yMin < yMax) return
  throw new AppError('unprocessable', 'rule-broken', 'The zone has no height: yMin must be below yMax.', {
    errors: [{ pointer: '/yMin', message: `must be below yMax (${yMax})` }],
  })
}

/** Sorts the columns by cx, then cz. Throws AppError `invalid` with all duplicates. */
export const sortChunks = (chunks: ZoneChunks): ZoneChunks => {
  const first = new Map<number, number>()
  const errors = chunks.flatMap(({ cx, cz }, at) => {
    const before = first.get(chunkKey(cx, cz))
    if (before === undefined) first.set(chunkKey(cx, cz), at)
    return before === undefined ? [] : [{ pointer: `/chunks/${at}`, message: `is the same chunk as /chunks/${before}` }]
  })
  if (errors.length > 0)
    throw new AppError('invalid', 'bad-request', 'The zone has duplicate chunks.', { errors: limitFaults(errors) })
  return chunks.toSorted((one, other) => one.cx - other.cx || one.cz - other.cz)
}

/**
 * Throws AppError `unprocessable`, slug `chunks-not-generated`, with the columns that do not exist. `isThere` has one entry for each
 * column.
 */
export const checkGenerated = (chunks: readonly ChunkPos[], isThere: readonly boolean[]): void => {
  const errors = chunks.flatMap(({ cx, cz }, at) =>
    isThere[at] ? [] : [{ pointer: `/chunks/${at}`, message: `the chunk ${cx}, ${cz} has not been generated` }],
  )
  if (errors.length === 0) return
  const detail = `${errors.length} of the ${chunks.length} chunks have not been generated. Walk there, or generate them first.`
  throw new AppError('unprocessable', 'chunks-not-generated', detail, { errors: limitFaults(errors) })
}

/** Throws AppError `unprocessable`, slug `rule-broken`, with each slot that has an unknown block. */
export const checkPages = (pages: ShortcutBarPages, { blocks }: BlocksConfig): void => {
  const knownIds = new Set<string | null>([null, airBlock.id, ...blocks.map(({ id }) => id)])
  const errors = pages.flatMap((page, pageAt) =>
    page.flatMap((id, at) =>
      knownIds.has(id) ? [] : [{ pointer: `/shortcutBarPages/${pageAt}/${at}`, message: 'is not a block of blocks.yaml' }],
    ),
  )
  if (errors.length > 0)
    throw new AppError('unprocessable', 'rule-broken', 'The layout has blocks that do not exist.', { errors })
}

/** The refusal of a zone that overlaps another one. */
export const zoneOverlap = ({ name, id, yMin, yMax }: Zone): AppError =>
  new AppError(
    'conflict',
    'zone-overlap',
    `The zone "${name}" (${id}) already has some of these chunks, at heights ${yMin} to ${yMax}. Choose other chunks or heights, or change that zone first.`,
  )

export const zoneMissing = (): AppError => new AppError('not-found', 'not-found', 'There is no zone with that id.')

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
