import type { NotedSignIn } from '../accounts/sign-in-log.ts'
import { accountBanned } from '../sanctions/banned-error.ts'
import type { ProvenSignIn } from './provider/provider.ts'
import { invalidCredentials } from './provider/provider.ts'
import type { SignedIn, SignInDeps } from './sign-in.ts'

/** What made a sign-in a verified one. */
type Proof = 'passwordHash' | 'subject'

/**
 * Issues the first token of a sign-in. A verified one is refused after all when the account has another password or subject by then. The change ends the tokens that are there; this one would come later and could be renewed for hours.
 * A banned account is told so here, where it has proven who it is.
 */
export const createAdmit = ({ accountStore, sanctionsInForce, tokens, signInLog, clock, ids }: SignInDeps) => {
  return async ({ account, verified }: ProvenSignIn, proof: Proof = 'passwordHash'): Promise<SignedIn> => {
    const { email, playerId, displayName } = account
    const ban = sanctionsInForce.findBan(email)
    if (ban !== undefined) throw accountBanned(ban)
    const token = await tokens.issue({ playerId, verified, signInId: ids.uuid(), signedInAt: clock.now() })
    const letIn = async (by: NotedSignIn['by']): Promise<SignedIn> => {
      await signInLog.note(playerId, by)
      return { token, displayName, playerId, verified }
    }
    if (!verified) return letIn('email')
    const latest = await accountStore.findByEmail(email)
    if (latest?.playerId === playerId && latest[proof] === account[proof])
      return letIn(proof === 'subject' ? 'identity-provider' : 'password')
    await tokens.revoke(token)
    throw invalidCredentials()
  }
}
