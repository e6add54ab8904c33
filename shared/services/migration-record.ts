import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../kernel/closed-object.ts'
import { AppError } from '../kernel/errors.ts'
import { createCollection, type Store } from '../platform/storage/store.ts'

/** A migration into the Store that contains this record. */
export const Migration = ClosedObject({
  id: Type.String({ format: 'uuid' }),
  /** The source, for people. */
  from: Type.String(),
  /** Identifies the source. */
  sourceId: Type.String(),
  startedAt: Type.String({ format: 'date-time' }),
  /** Set after both sides were found to be equal. */
  finishedAt: Type.Optional(Type.String({ format: 'date-time' })),
  /** Written by 0.2 and before. Not used. */
  checkpoint: Type.Optional(Type.Unknown()),
})
export type Migration = Static<typeof Migration>

const migrations = createCollection('migrations', Migration)
const recordId = 'into-here'

/** The migration into this Store; undefined if there was none. */
export const findMigration = async (store: Pick<Store, 'get'>): Promise<Migration | undefined> =>
  (await store.get(migrations, recordId))?.value

/** Writes the state of a migration. Durable when it resolves. */
export const keepMigration = async (store: Pick<Store, 'put'>, migration: Migration): Promise<void> => {
  await store.put(migrations, recordId, migration)
}

const halfMoved = 'The migration is not complete. Run npm run migrate again with the same options to continue it.'

/** Throws AppError `unavailable` with `detail` if a migration into this Store is not complete, because its data is incomplete. */
export const refuseHalfMoved = async (store: Pick<Store, 'get'>, detail = halfMoved): Promise<void> => {
  const migration = await findMigration(store)
  if (migration === undefined || migration.finishedAt !== undefined) return
  throw new AppError('unavailable', 'service-unavailable', detail)
}
