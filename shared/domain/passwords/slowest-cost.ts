import { Type } from '@sinclair/typebox'
import type { Clock } from '../../kernel/clock.ts'
import { ClosedObject } from '../../kernel/closed-object.ts'
import type { Log } from '../../kernel/log.ts'
import { createCollection, type Store } from '../../platform/storage/store.ts'

/** The highest cost of a hash in use, so that an answer without a hash takes as long as one with it. */
export type SlowestCost = {
  /** 0 while no cost is known. Never rejects. */
  find(): Promise<number>
  /** Records the cost of a hash that was made or compared. Never rejects. */
  note(cost: number): Promise<void>
}

const rememberedMs = 30 * 86_400_000
const renewedAfterMs = 86_400_000
const id = 'slowest'

const passwordCosts = createCollection(
  'password-costs',
  ClosedObject({ cost: Type.Integer({ minimum: 4, maximum: 31 }), seenAt: Type.String({ format: 'date-time' }) }),
)

type Deps = {
  readonly store: Pick<Store, 'get' | 'put'>
  readonly clock: Pick<Clock, 'now'>
  readonly log: Pick<Log, 'warn'>
}

/** Shared by all processes on the store. A cost is forgotten 30 days after its last hash. */
export const createSlowestCost = ({ store, clock, log }: Deps): SlowestCost => {
  let cached: Promise<{ readonly cost: number; readonly seenAtMs: number } | undefined> | undefined
  const read = async () => {
    try {
      const stored = (await store.get(passwordCosts, id))?.value
      return stored && { cost: stored.cost, seenAtMs: Date.parse(stored.seenAt) }
    } catch (error) {
      log.warn({ err: error }, 'the highest cost of a password hash cannot be read')
      cached = undefined
      return undefined
    }
  }
  const findKnown = async () => {
    cached ??= read()
    const stored = await cached
    return stored !== undefined && clock.now() - stored.seenAtMs < rememberedMs ? stored : undefined
  }
  return {
    find: async () => (await findKnown())?.cost ?? 0,
    note: async (cost) => {
      const stored = await findKnown()
      if (
        stored !== undefined &&
        (stored.cost > cost || (stored.cost === cost && clock.now() - stored.seenAtMs < renewedAfterMs))
      )
        return
      const seenAtMs = clock.now()
      cached = Promise.resolve({ cost, seenAtMs })
      await store
        .put(passwordCosts, id, { cost, seenAt: new Date(seenAtMs).toISOString() })
        .catch((error: unknown) => log.warn({ err: error }, 'the highest cost of a password hash cannot be stored'))
    },
  }
}
