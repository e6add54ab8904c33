import { invalidCredentials } from './invalid-credentials.ts'
import type { ProvenSignIn } from './provider.ts'
import type { SignedIn } from './sign-in.ts'
import type { SignInDeps } from './sign-in-deps.ts'

/**
 * Issues the first token of a sign-in. A password that was changed between its comparison and the issue is refused after all: the
 * change ends the tokens that are there, and this one came later.
 */
export const createAdmit = ({ accountStore, tokens, clock, ids }: SignInDeps) => {
  return async ({ account, verified }: ProvenSignIn): Promise<SignedIn> => {
    const { playerId, displayName } = account
    const token = await tokens.issue({ playerId, verified, signInId: ids.uuid(), signedInAt: clock.now() })
    const current = verified ? await accountStore.findByEmail(account.email) : account
    if (current?.playerId === playerId && current.passwordHash === account.passwordHash) return { token, displayName, playerId }
    await tokens.revoke(token)
    throw invalidCredentials()
  }
}
