import { Type } from '@sinclair/typebox'
import { createCollection, type Store } from '../../../shared/platform/storage/store.ts'

/** Records of the store suites: `{ n }`. */
export const counters = createCollection('counters', Type.Object({ n: Type.Number() }, { additionalProperties: false }))

/** Adds one to a counter by a conditional write, with retries. */
export const increment = async (store: Store, id: string): Promise<void> => {
  for (let attempts = 0; attempts < 10_000; attempts += 1) {
    const found = await store.get(counters, id)
    const attempt = store.put(counters, id, { n: (found?.value.n ?? 0) + 1 }, { ifVersion: found?.version ?? null })
    const failure = await attempt.then(
      () => undefined,
      (error: { kind?: unknown }) => error,
    )
    if (failure === undefined) return
    if (failure.kind !== 'conflict') throw failure
  }
  throw new Error('10,000 attempts at an increment met a conflict')
}
