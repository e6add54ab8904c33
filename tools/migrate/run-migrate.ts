import { AppError } from '../../shared/kernel/errors.ts'
import { refuseHalfMoved } from '../../shared/services/migration-record.ts'
import { asksForHelp } from '../usage/asks-for-help.ts'
import { describeFailure, messageOf } from '../world/describe-failure.ts'
import { tableOf } from '../world/words.ts'
import { comparePlaces, describeComparison } from './compare-places.ts'
import { type MigrateArguments, migrateUsage, parseMigrateArguments } from './migrate-arguments.ts'
import { migrateData } from './migrate-data.ts'
import type { MigrateDeps, MigrateExit } from './migrate-deps.ts'
import { listParts, listWorlds } from './parts/list-parts.ts'
import type { PlaceOpener } from './places/open-place.ts'
import type { SourcePlace } from './places/place.ts'
import { createRetries, readWithRetries } from './retries.ts'

export type MigrateEdges = MigrateDeps & {
  /** Behind the script's name. */
  readonly args: readonly string[]
  readonly opener: PlaceOpener
}

/** Runs `work` with a place, and closes it whatever comes of it. */
const withPlace = async <P extends SourcePlace, T>(opening: Promise<P>, work: (place: P) => Promise<T>): Promise<T> => {
  const place = await opening
  try {
    return await work(place)
  } finally {
    await place.close()
  }
}

const countParts = async (source: SourcePlace, { print }: MigrateDeps): Promise<MigrateExit> => {
  const parts = listParts(await listWorlds(source))
  const rows: [string, number][] = []
  for (const part of parts) rows.push([part.name, await part.count(source)])
  print(`From ${source.label} would be moved:\n${tableOf(rows)}`)
  return 0
}

const compare = async (source: SourcePlace, target: SourcePlace, deps: MigrateDeps): Promise<MigrateExit> => {
  const retry = createRetries({ complain: deps.complain, signal: deps.signal, ...deps.retries })
  const parts = listParts(await listWorlds(source))
  const places = { source: readWithRetries(source, retry), target: readWithRetries(target, retry) }
  const { table, areEqual } = describeComparison(await comparePlaces({ ...places, parts, ...deps }))
  deps.print(`${table}${areEqual ? 'Both places hold the same.' : 'The two places differ.'}\n`)
  return areEqual ? 0 : 3
}

const describeUnfinished = ({ label }: SourcePlace): string =>
  `The source, ${label}, is unfinished: a migration into it has begun and not ended. Run that one again as it was begun, or name a source that is whole.`

const run = ({ from, to, mode }: MigrateArguments, edges: MigrateEdges): Promise<MigrateExit> =>
  withPlace(edges.opener.openSource(from), async (source) => {
    // Before the target is opened, which makes it when it is a folder.
    await refuseHalfMoved(source.store, describeUnfinished(source))
    if (mode === 'count') return countParts(source, edges)
    if (mode === 'compare') return withPlace(edges.opener.openEnded(to), (target) => compare(source, target, edges))
    return withPlace(edges.opener.openTarget(to), (target) => migrateData(source, target, edges))
  })

/** At the machine, what DynamoDB said is worth more than that it did not answer. */
const describe = (error: unknown): string => {
  const cause = error instanceof AppError ? error.cause : undefined
  if (!(cause instanceof Error) || !cause.message.startsWith('DynamoDB: ')) return describeFailure(error)
  const fix = cause.message.includes('ResourceNotFoundException')
    ? 'There are no such tables: create them with npm run tables, or look at DYNAMODB_TABLE_PREFIX.'
    : 'DynamoDB does not answer. Nothing is lost: run the same command again when it does, it goes on where it was.'
  return `${fix}\n  (${messageOf(cause)})`
}

/** `npm run migrate`; nothing is opened when the usage is wrong. */
export const runMigrate = async (edges: MigrateEdges): Promise<MigrateExit> => {
  const { args, complain, print, signal } = edges
  if (asksForHelp(args) || args.length === 0) {
    ;(args.length === 0 ? complain : print)(migrateUsage)
    return args.length === 0 ? 1 : 0
  }
  const parsed = parseMigrateArguments(args)
  if (!parsed.ok) {
    complain(`${parsed.reason}\n${migrateUsage}`)
    return 1
  }
  try {
    return await run(parsed.value, edges)
  } catch (error) {
    // What an abort leads to inside is no failure of its own.
    if (signal.aborted) complain('Stopped. The same command goes on from here.\n')
    else complain(`${describe(error)}\n`)
    return signal.aborted ? 130 : 2
  }
}
