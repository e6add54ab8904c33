import { readArguments } from '../world/read-arguments.ts'
import type { Parsed } from '../world/world-command.ts'
import { type PlaceKind, placeKinds } from './places/place.ts'

/** The mode of a run: to move, to count, or to compare both places. */
export type MigrateArguments = { readonly from: PlaceKind; readonly to: PlaceKind; readonly mode: 'move' | 'count' | 'compare' }

export const migrateUsage = `npm run migrate -- --from embedded --to dynamodb [--dry-run | --verify]
npm run migrate -- --from dynamodb --to embedded [--dry-run | --verify]
  Moves all durable data from DATA_DIR into the tables of DYNAMODB_ENDPOINT or AWS_REGION, or back, then compares both.
  The source does not change. Run the same command again to continue a migration that was stopped.
  --dry-run  only counts what it would move
  --verify   only compares both places
  See docs/migrate.md.
`

const findKind = (text: string | undefined): PlaceKind | undefined => placeKinds.find((kind) => kind === text)

export const parseMigrateArguments = (args: readonly string[]): Parsed<MigrateArguments> => {
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
