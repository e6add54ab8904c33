import { Type } from '@sinclair/typebox'
import { ClosedObject } from '../../kernel/closed-object.ts'
import type { Ids } from '../../kernel/ids.ts'
import { createCollection, type Store } from '../../platform/storage/store.ts'

const secrets = createCollection('process-secrets', ClosedObject({ secret: Type.String() }))

const id = 'upgrades'

/** A shared secret of the processes on one store, to prove that one of them forwarded an upgrade. The first caller creates it. Throws AppError `unavailable`. */
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
