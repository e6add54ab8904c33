import { type Static, Type } from '@sinclair/typebox'
import type { Clock } from '../../kernel/clock.ts'
import { ClosedObject } from '../../kernel/closed-object.ts'
import type { Log } from '../../kernel/log.ts'
import { createCollection, type Store } from '../../platform/storage/store.ts'

/** Sign-ins stored for each account. */
const signInsPerAccount = 10

/** One successful sign-in. */
export const NotedSignIn = ClosedObject({
  at: Type.String({ format: 'date-time' }),
  by: Type.Union([Type.Literal('password'), Type.Literal('identity-provider'), Type.Literal('email')], {
    description: 'Proof of identity. `email`: none, because the server requires no password.',
  }),
})
export type NotedSignIn = Static<typeof NotedSignIn>

/** The last sign-ins of each account by its playerId, newest first. */
export const signIns = createCollection(
  'sign-ins',
  ClosedObject({ latest: Type.Array(NotedSignIn, { maxItems: signInsPerAccount }) }),
)

export type SignInLog = {
  /** Never rejects: a sign-in does not fail because its record could not be written. Of two concurrent sign-ins one may be missing. */
  note(playerId: string, by: NotedSignIn['by']): Promise<void>
}

type SignInLogDeps = { readonly store: Pick<Store, 'get' | 'put'>; readonly clock: Clock; readonly log: Pick<Log, 'warn'> }

/** The last sign-ins of an account, newest first, at most ten. */
export const listSignIns = async (store: Pick<Store, 'get'>, playerId: string): Promise<readonly NotedSignIn[]> =>
  (await store.get(signIns, playerId))?.value.latest ?? []

/** For an account that is deleted permanently. */
export const forgetSignIns = async (store: Pick<Store, 'delete'>, playerId: string): Promise<void> => {
  await store.delete(signIns, playerId)
}

export const createSignInLog = ({ store, clock, log }: SignInLogDeps): SignInLog => ({
  note: async (playerId, by) => {
    try {
      const before = await listSignIns(store, playerId)
      const entry = { at: new Date(clock.now()).toISOString(), by }
      await store.put(signIns, playerId, { latest: [entry, ...before].slice(0, signInsPerAccount) })
    } catch (error) {
      log.warn({ err: error }, 'could not record a sign-in')
    }
  },
})
