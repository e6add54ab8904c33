import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../../kernel/closed-object.ts'
import { AppError } from '../../../kernel/errors.ts'
import {
  createCollection,
  putWrite,
  type Store,
  type StoredRecord,
  type Version,
  type Write,
} from '../../../platform/storage/store.ts'
import { leaseLost } from '../../worlds/store/chunk-store-rules.ts'

const DataFence = ClosedObject({ fence: Type.Integer({ minimum: 1 }) })
type DataFence = Static<typeof DataFence>

/** The last fence of each world, by `WORLDID/N`. Each batch of values of modules checks one of them. */
export const dataFences = createCollection('module-fences', DataFence)

/** DynamoDB refuses concurrent transactions on one record, so each concurrent batch checks its own. */
export const batchesAtOnce = 8

/** The largest number of writes in a batch. One more write checks the fence. */
export const writesMax = 9

/** Writes of the holder of a world. Throws AppError `conflict` `lease-lost` once a later holder has raised the fence. */
export type FencedWrites = {
  /** 1 to 9 writes, all or nothing. Throws AppError `conflict` if a precondition is not met. Two writes with one `lane` must not overlap. */
  commit(writes: readonly Write[], lane: number): Promise<readonly (Version | null)[]>
}

type Guard = StoredRecord<DataFence> | undefined

/** Raises the fence of a world. After that, earlier holders can no longer write values of modules for it. */
export const raiseDataFence = async (
  store: Pick<Store, 'get' | 'commit'>,
  worldId: string,
  fence: number,
): Promise<FencedWrites> => {
  const idOf = (lane: number): string => `${worldId}/${lane % batchesAtOnce}`
  const lanes = Array.from({ length: batchesAtOnce }, (_, lane) => lane)

  const raise = async (): Promise<readonly (Version | null)[]> => {
    const guards: readonly Guard[] = await Promise.all(lanes.map((lane) => store.get(dataFences, idOf(lane))))
    if (guards.some((guard) => guard !== undefined && guard.value.fence > fence)) throw leaseLost()
    return store.commit(
      guards.map((guard, lane) => putWrite(dataFences, idOf(lane), { fence }, { ifVersion: guard?.version ?? null })),
    )
  }
  const isConflict = (error: unknown): boolean => error instanceof AppError && error.kind === 'conflict'
  // Only another holder changes it. The second attempt finds a higher fence, or that of a holder that has ended.
  const versions = await raise().catch((error: unknown) => {
    if (isConflict(error) && !(error instanceof AppError && error.slug === 'lease-lost')) return raise()
    throw error
  })

  return {
    commit: async (writes, lane) => {
      const id = idOf(lane)
      const ifVersion = versions[lane % batchesAtOnce] ?? null
      try {
        return (await store.commit([{ kind: 'check', collection: dataFences.name, id, ifVersion }, ...writes])).slice(1)
      } catch (error) {
        if (isConflict(error) && (await store.get(dataFences, id))?.version !== ifVersion) throw leaseLost()
        throw error
      }
    },
  }
}
