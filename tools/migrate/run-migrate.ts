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
  /** Arguments after the script's name. */
  readonly args: readonly string[]
  readonly opener: PlaceOpener
}

/** Runs `work` with a place, and always closes it. */
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
  print(`Would move from ${source.label}:\n${tableOf(rows)}`)
  return 0
}

const compare = async (source: SourcePlace, target: SourcePlace, deps: MigrateDeps): Promise<MigrateExit> => {
  const retry = createRetries({ complain: deps.complain, signal: deps.signal, ...deps.retries })
  const parts = listParts(await listWorlds(source))
  const places = { source: readWithRetries(source, retry), target: readWithRetries(target, retry) }
  const { table, areEqual } = describeComparison(await comparePlaces({ ...places, parts, ...deps }))
  deps.print(`${table}${areEqual ? 'Both places have the same data.' : 'The two places differ.'}\n`)
  return areEqual ? 0 : 3
}

const describeUnfinished = ({ label }: SourcePlace): string =>
  `The source, ${label}, is unfinished: a migration into it has not ended. Finish that migration first, or choose a complete source.`

const run = ({ from, to, mode }: MigrateArguments, edges: MigrateEdges): Promise<MigrateExit> =>
  withPlace(edges.opener.openSource(from), async (source) => {
    // Before the target is opened, because that creates a missing folder.
    await refuseHalfMoved(source.store, describeUnfinished(source))
    if (mode === 'count') return countParts(source, edges)
    if (mode === 'compare') return withPlace(edges.opener.openEnded(to), (target) => compare(source, target, edges))
    return withPlace(edges.opener.openTarget(to), (target) => migrateData(source, target, edges))
  })

/** The operator needs the error of DynamoDB, not only that it is unavailable. */
const describe = (error: unknown): string => {
  const cause = error instanceof AppError ? error.cause : undefined
  if (!(cause instanceof Error) || !cause.message.startsWith('DynamoDB: ')) return describeFailure(error)
  const fix = cause.message.includes('ResourceNotFoundException')
    ? 'These tables do not exist. Create them with npm run tables, or check DYNAMODB_TABLE_PREFIX.'
    : 'DynamoDB does not answer. Nothing is lost. Run the same command again later: it continues from here.'
  return `${fix}\n  (${messageOf(cause)})`
}

/** `npm run migrate`. Opens nothing if the usage is wrong. */
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
    // Errors that follow from an abort are not failures.
    if (signal.aborted) complain('Stopped. Run the same command to continue from here.\n')
    else complain(`${describe(error)}\n`)
    return signal.aborted ? 130 : 2
  }
}
