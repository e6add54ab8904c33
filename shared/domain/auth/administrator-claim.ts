import { AppError } from '../../kernel/errors.ts'
import { alreadyClaimed } from '../accounts/already-claimed.ts'
import type { createAdmit } from './admit-unless-banned.ts'
import type { SignInDeps, SignInService } from './sign-in.ts'

/** How long a claim may be used, in seconds. */
const claimTtlSeconds = 24 * 60 * 60

/** Single-use secrets of other kinds share the token store. */
const claimKey = (secret: string) => `claim ${secret}`

type ClaimDeps = SignInDeps & {
  readonly admit: ReturnType<typeof createAdmit>
}

/** The two halves of claiming the first administrator account. A claim that is taken and then not used by success is put back for the rest of its time. */
export const createAdministratorClaims = (deps: ClaimDeps): Pick<SignInService, 'createClaim' | 'claim' | 'isUnclaimed'> => {
  const { accounts, tokens, clock, ids, admit } = deps
  const keep = (secret: string, expiresAt: number) => {
    const seconds = Math.ceil((expiresAt - clock.now()) / 1000)
    return seconds > 0 ? tokens.putOnce(claimKey(secret), String(expiresAt), seconds) : Promise.resolve()
  }
  // An administrator stays: the last one can be neither deleted nor demoted.
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
