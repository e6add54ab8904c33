import type { NotedSignIn } from '../accounts/sign-in-log.ts'
import { accountBanned } from '../sanctions/banned-error.ts'
import type { ProvenSignIn } from './provider/provider.ts'
import { invalidCredentials } from './provider/provider.ts'
import type { SignedIn, SignInDeps } from './sign-in.ts'

/** The account key that proved a verified sign-in. */
type Proof = 'passwordHash' | 'subject'

/**
 * Issues the first token of a sign-in. Refuses a verified sign-in if the account's password or subject has changed in the meantime.
 * That change ended the existing tokens, and this one would survive it. A banned account gets the reason here, after it has proven its identity.
 */
export const createAdmit = ({ accountStore, activeSanctions, tokens, signInLog, clock, ids }: SignInDeps) => {
  return async ({ account, verified }: ProvenSignIn, proof: Proof = 'passwordHash'): Promise<SignedIn> => {
    const { email, playerId, displayName } = account
    const ban = activeSanctions.findBan(email)
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
