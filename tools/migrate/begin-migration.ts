import { createHash } from 'node:crypto'
import { configNames } from '../../shared/domain/configs/catalogue.ts'
import type { WorldRecord } from '../../shared/domain/worlds/world.ts'
import type { Clock } from '../../shared/kernel/clock.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import type { Ids } from '../../shared/kernel/ids.ts'
import { findMigration, keepMigration, type Migration } from '../../shared/services/migration-record.ts'
import { lastingCollections, revisionCollections } from './parts/lasting-collections.ts'
import { isEmpty } from './parts/records-part.ts'
import type { SourcePlace, TargetPlace } from './places/place.ts'

export type BeginDeps = { readonly clock: Pick<Clock, 'now'>; readonly ids: Pick<Ids, 'uuid'> }

const fixOf = { embedded: 'set DATA_DIR to a folder that does not exist yet', dynamodb: 'choose another DYNAMODB_TABLE_PREFIX' }

const refuse = ({ label, kind }: TargetPlace, why: string): AppError =>
  new AppError('conflict', 'already-exists', `Nothing is moved into ${label}: ${why}. Empty it, or ${fixOf[kind]}.`)

/** The content of a place, in words. */
const listOccupants = async (place: TargetPlace, worlds: readonly WorldRecord[]): Promise<readonly string[]> => {
  const found: string[] = []
  if ((await place.accounts.listAccounts({ limit: 1 })).accounts.length > 0) found.push('accounts')
  for (const name of configNames) if ((await place.configs.findInForce(name)) !== undefined) found.push(name)
  for (const { name, what } of [
    ...lastingCollections,
    ...revisionCollections.map((name) => ({ name, what: 'config revisions' })),
  ])
    if (!(await isEmpty(place.store, name))) found.push(what)
  for (const world of worlds) if ((await place.chunks.stats(world)).chunkCount > 0) found.push(`columns of ${world.name}`)
  return [...new Set(found)]
}

/**
 * The migration from `source` that continues in `target`, or a new one. Throws AppError `conflict` if the target has other data
 * or a finished migration.
 */
export const beginMigration = async (
  { source, target, worlds }: { source: SourcePlace; target: TargetPlace; worlds: readonly WorldRecord[] },
  { clock, ids }: BeginDeps,
): Promise<{ readonly migration: Migration; readonly isResumed: boolean }> => {
  const sourceId = createHash('sha256').update(source.identity).digest('hex')
  const found = await findMigration(target.store)
  if (found !== undefined) {
    const { id, from, sourceId: foundId, finishedAt } = found
    if (foundId !== sourceId) throw refuse(target, `it has an unfinished migration ${id} from another source, ${from}`)
    if (finishedAt !== undefined)
      throw refuse(
        target,
        `migration ${id} from this source ended at ${finishedAt}, and later changes would be lost (compare with --verify)`,
      )
    return { migration: found, isResumed: true }
  }
  const occupants = await listOccupants(target, worlds)
  if (occupants.length > 0) throw refuse(target, `it has other data already (${occupants.join(', ')})`)
  const migration = { id: ids.uuid(), from: source.label, sourceId, startedAt: new Date(clock.now()).toISOString() }
  await keepMigration(target.store, migration)
  return { migration, isResumed: false }
}
