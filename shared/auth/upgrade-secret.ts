import { Type } from '@sinclair/typebox'
import type { Ids } from '../kernel/ids.ts'
import { createCollection, type Store } from '../storage/store.ts'

const secrets = createCollection('process-secrets', Type.Object({ secret: Type.String() }, { additionalProperties: false }))
const id = 'upgrades'

/** What processes on one store tell each other by that an upgrade was passed on by one of them. Made by whoever asks first. Throws AppError `unavailable`. */
export const findUpgradeSecret = async (store: Pick<Store, 'get' | 'put'>, ids: Pick<Ids, 'secret'>): Promise<string> => {
  const stored = await store.get(secrets, id)
  if (stored !== undefined) return stored.value.secret
  const secret = ids.secret()
  try {
    await store.put(secrets, id, { secret }, { ifVersion: null })
    return secret
  } catch (error) {
    const made = await store.get(secrets, id)
    if (made === undefined) throw error
    return made.value.secret
  }
}
