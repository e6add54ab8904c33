import { limitFaults } from '../../kernel/describe-fault.ts'
import { AppError } from '../../kernel/errors.ts'
import { type ChunkPos, chunkKey } from '../../rules/positions.ts'
import type { BlocksConfig } from '../worlds/blocks-config.ts'
import { airBlock } from '../worlds/chunks/block-registry.ts'
import type { ShortcutBarPages, Zone, ZoneChunks } from './zone.ts'

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
