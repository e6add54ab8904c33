import { AppError } from '../../kernel/errors.ts'
import { alreadyClaimed } from '../accounts/already-claimed.ts'
import type { createAdmit, SignInDeps, SignInService } from './sign-in.ts'

/** Lifetime of a claim in seconds. */
const claimTtlSeconds = 24 * 60 * 60

/** Prefixed, because other kinds of single-use secrets share the token store. */
const claimKey = (secret: string) => `claim ${secret}`

type ClaimDeps = SignInDeps & {
  readonly admit: ReturnType<typeof createAdmit>
}

/** Creates and redeems claims of the first administrator account. A claim that fails is stored again for the rest of its lifetime. */
export const createAdministratorClaims = (deps: ClaimDeps): Pick<SignInService, 'createClaim' | 'claim' | 'isUnclaimed'> => {
  const { accounts, tokens, clock, ids, admit } = deps
  const keep = (secret: string, expiresAt: number) => {
    const seconds = Math.ceil((expiresAt - clock.now()) / 1000)
    return seconds > 0 ? tokens.putOnce(claimKey(secret), String(expiresAt), seconds) : Promise.resolve()
  }
  // Stays true once set: the last administrator can be neither deleted nor demoted.
  let isClaimed = false
  return {
    isUnclaimed: async () => {
      if (isClaimed) return false
      try {
        isClaimed = await accounts.hasAdministrator()
      } catch {
        return false
      }
      return !isClaimed
    },
    createClaim: async () => {
      if (await accounts.hasAdministrator()) return undefined
      const secret = ids.secret()
      await keep(secret, clock.now() + claimTtlSeconds * 1000)
      return secret
    },
    claim: async (secret, input, { address, requestId }) => {
      const expiresAt = await tokens.takeOnce(claimKey(secret))
      if (expiresAt === undefined) {
        if (await accounts.hasAdministrator()) throw alreadyClaimed()
        throw new AppError(
          'unauthenticated',
          'invalid-claim',
          'This claim is wrong, used or expired. Restart the server: it prints a new link in its terminal.',
        )
      }
      try {
        const account = await accounts.claimAdministrator({ ...input, address }, requestId)
        return await admit({ account, verified: true })
      } catch (error) {
        await keep(secret, Number(expiresAt)).catch(() => undefined)
        throw error
      }
    },
  }
}
