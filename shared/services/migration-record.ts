import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../kernel/closed-object.ts'
import { AppError } from '../kernel/errors.ts'
import { createCollection, type Store } from '../platform/storage/store.ts'

/** A migration into the Store that the record lies in. */
export const Migration = ClosedObject({
  id: Type.String({ format: 'uuid' }),
  /** What the source is, as a person would say it. */
  from: Type.String(),
  /** Tells the source from every other. */
  sourceId: Type.String(),
  startedAt: Type.String({ format: 'date-time' }),
  /** Set once both sides were found equal. */
  finishedAt: Type.Optional(Type.String({ format: 'date-time' })),
  /** How far it is: of which part, up to which id, and how many that were; absent at its very beginning. */
  checkpoint: Type.Optional(
    ClosedObject({ part: Type.String(), after: Type.Optional(Type.String()), done: Type.Integer({ minimum: 0 }) }),
  ),
})
export type Migration = Static<typeof Migration>

const migrations = createCollection('migrations', Migration)
const recordId = 'into-here'

/** The migration into this Store, undefined where there was none. */
export const findMigration = async (store: Pick<Store, 'get'>): Promise<Migration | undefined> =>
  (await store.get(migrations, recordId))?.value

/** Writes how a migration stands; durable when it resolves. */
export const keepMigration = async (store: Pick<Store, 'put'>, migration: Migration): Promise<void> => {
  await store.put(migrations, recordId, migration)
}

const halfMoved = 'Not everything has been moved here yet: run npm run migrate again as it was begun, it goes on where it was.'

/** Throws AppError `unavailable` with `detail` where a migration into this Store has begun and not ended: nobody is to be served from half of it. */
export const refuseHalfMoved = async (store: Pick<Store, 'get'>, detail = halfMoved): Promise<void> => {
  const migration = await findMigration(store)
  if (migration === undefined || migration.finishedAt !== undefined) return
  throw new AppError('unavailable', 'service-unavailable', detail)
}
