import { AppError } from '../../kernel/errors.ts'
import type { ServiceMetrics, SignInKind } from '../../platform/metrics/service-metrics.ts'
import { parseEmail } from '../accounts/email.ts'
import { accountBanned } from '../sanctions/banned-error.ts'
import { isRenewable } from '../tokens/tokens.ts'
import { createAdministratorClaims } from './administrator-claim.ts'
import { createRegistration } from './own-accounts/registration.ts'
import { createPasswordChange } from './own-password.ts'
import { createAdmit, type SignInDeps, type SignInService } from './sign-in.ts'
import { createAccountGuesses, createSignInLimits } from './sign-in-limits.ts'

const deadToken = () => new AppError('unauthenticated', 'invalid-token', 'The token is expired or revoked. Sign in again.')

/** Sign-in over any provider; stateless between calls. */
export const createSignIn = (deps: SignInDeps): SignInService => {
  const { provider, accountStore, activeSanctions, tokens, events, clock } = deps
  const limits = createSignInLimits(deps)
  const admit = createAdmit(deps)
  const beginGuess = createAccountGuesses(deps)
  return {
    countAttempt: limits.countAttempt,
    login: async (text, password, request) => {
      const email = parseEmail(text)
      await limits.countLogin(request.address, email)
      // An empty password cannot match, so it is not an attempt.
      const guess = password ? await beginGuess(email, request) : undefined
      try {
        const proven = await provider.login(email, password, request)
        const signedIn = await admit(proven)
        if (proven.verified) {
          const failed = await guess?.right(proven.account)
          return failed === undefined ? signedIn : { ...signedIn, failed }
        }
        if (proven.account.passwordHash === undefined) await guess?.drop()
        else await guess?.wrong()
        return signedIn
      } catch (error) {
        if (error instanceof AppError && error.slug === 'invalid-credentials') await guess?.wrong()
        else await guess?.drop()
        throw error
      }
    },
    startOauth: async (returnUrl) => provider.oauthStartUrl(returnUrl),
    endOauth: async (answer, requestId) => {
      const { returnUrl, ...proven } = await provider.oauthCallback(answer, requestId)
      return { ...(await admit(proven, 'subject')), returnUrl }
    },
    renew: async (token) => {
      const found = await tokens.find(token)
      const account = found && (await accountStore.findByPlayerId(found.playerId))
      if (found === undefined || account === undefined) throw deadToken()
      const ban = activeSanctions.findBan(account.email)
      if (ban !== undefined) throw accountBanned(ban)
      const { playerId, verified, signInId, signedInAt } = found
      if (!isRenewable(found, clock.now()))
        throw new AppError('unauthenticated', 'sign-in-expired', 'Twelve hours have passed since the sign-in. Sign in again.')
      return {
        token: await tokens.issue({ playerId, verified, signInId, signedInAt }),
        displayName: account.displayName,
        playerId,
      }
    },
    logout: async (token) => {
      const ended = await tokens.revoke(token)
      if (ended === undefined) throw deadToken()
      await events.publish('sign-in-ended', { playerId: ended.playerId, signInId: ended.signInId })
    },
    changePassword: createPasswordChange({ ...deps, limits, beginGuess }),
    register: createRegistration({ ...deps, limits }),
    ...createAdministratorClaims({ ...deps, admit }),
  }
}

/** `signIn` with every outcome counted. */
export const countSignIns = (signIn: SignInService, metrics: Pick<ServiceMetrics, 'countSignIn'>): SignInService => {
  const count = async <T>(kind: SignInKind, run: () => Promise<T>): Promise<T> => {
    try {
      const signedIn = await run()
      metrics.countSignIn(kind)
      return signedIn
    } catch (fault) {
      metrics.countSignIn(kind, fault)
      throw fault
    }
  }
  return {
    ...signIn,
    login: (email, password, origin) => count('login', () => signIn.login(email, password, origin)),
    endOauth: (answer, origin) => count('oauth', () => signIn.endOauth(answer, origin)),
    claim: (secret, input, origin) => count('claim', () => signIn.claim(secret, input, origin)),
    renew: (token) => count('renew', () => signIn.renew(token)),
  }
}
