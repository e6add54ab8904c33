import { AppError } from '../../shared/kernel/errors.ts'
import { asksForHelp } from '../../shared/platform/process/asks-for-help.ts'
import { refuseHalfMoved } from '../../shared/services/migration-record.ts'
import { describeFailure, messageOf } from '../world/describe-failure.ts'
import { readArguments } from '../world/read-arguments.ts'
import { tableOf } from '../world/words.ts'
import type { Parsed } from '../world/world-command.ts'
import { comparePlaces, describeComparison } from './compare-places.ts'
import { type MigrateDeps, type MigrateExit, migrateData } from './migrate-data.ts'
import { listParts, listWorlds } from './parts/list-parts.ts'
import type { PlaceOpener } from './places/open-place.ts'
import { type PlaceKind, placeKinds, type SourcePlace } from './places/place.ts'

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
  const parts = listParts(await listWorlds(source))
  const { table, areEqual } = describeComparison(await comparePlaces({ ...deps, source, target, parts }))
  deps.print(`${table}${areEqual ? 'Both places have the same data.' : 'The two places differ.'}\n`)
  return areEqual ? 0 : 3
}

const describeUnfinished = ({ label }: SourcePlace): string =>
  `The source, ${label}, is unfinished: a migration into it has not ended. Finish that migration first, or choose a complete source.`

/** The mode of a run: to move, to count, or to compare both places. */
type MigrateArguments = { readonly from: PlaceKind; readonly to: PlaceKind; readonly mode: 'move' | 'count' | 'compare' }

const migrateUsage = `npm run migrate -- --from embedded --to dynamodb [--dry-run | --verify]
npm run migrate -- --from dynamodb --to embedded [--dry-run | --verify]
  Moves all durable data from DATA_DIR into the tables of DYNAMODB_ENDPOINT or AWS_REGION, or back, then compares both.
  The source does not change. Run the same command again after a stop: it writes what is missing.
  --dry-run  only counts what it would move
  --verify   only compares both places
  See docs/migrate.md.
`

const findKind = (text: string | undefined): PlaceKind | undefined => placeKinds.find((kind) => kind === text)

const parseMigrateArguments = (args: readonly string[]): Parsed<MigrateArguments> => {
  const read = readArguments(args, [], { from: 'value', to: 'value', 'dry-run': 'flag', verify: 'flag' })
  if (!read.ok) return read
  const { values, flags } = read.value
  const [from, to] = [findKind(values.from), findKind(values.to)]
  if (from === undefined || to === undefined)
    return { ok: false, reason: `--from and --to must each be one of ${placeKinds.join(', ')}.` }
  if (from === to) return { ok: false, reason: '--from and --to must be different.' }
  if (flags.size > 1) return { ok: false, reason: 'Use --dry-run or --verify, not both.' }
  const mode = flags.has('dry-run') ? 'count' : flags.has('verify') ? 'compare' : 'move'
  return { ok: true, value: { from, to, mode } }
}

const run = ({ from, to, mode }: MigrateArguments, edges: MigrateEdges): Promise<MigrateExit> =>
  withPlace(edges.opener.openSource(from), async (source) => {
    // Before the target is opened, because that creates a missing folder.
    await refuseHalfMoved(source.store, describeUnfinished(source))
    if (mode === 'count') return countParts(source, edges)
    if (mode === 'compare') return withPlace(edges.opener.openSource(to), (target) => compare(source, target, edges))
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
