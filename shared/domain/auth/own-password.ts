import { AppError } from '../../kernel/errors.ts'
import { validatePassword } from '../passwords/passwords.ts'
import { providerMismatch } from './provider/provider.ts'
import type { SignInDeps, SignInService } from './sign-in.ts'
import type { BeginGuess, createSignInLimits } from './sign-in-limits.ts'

type OwnPasswordDeps = SignInDeps & {
  readonly limits: ReturnType<typeof createSignInLimits>
  readonly beginGuess: BeginGuess
}

const noPassword = () =>
  new AppError('forbidden', 'no-password', 'This account has no password. Ask an administrator to set one.')

const wrongPassword = () =>
  new AppError('forbidden', 'wrong-password', 'The current password is wrong.', {
    errors: [{ pointer: '/current', message: 'is not the password of this account' }],
  })

/**
 * `SignInService.changePassword`. The token alone is no proof: without required passwords, anyone who knows the email can get one. So an
 * account without a password cannot set one here.
 */
export const createPasswordChange = ({
  provider,
  accounts,
  accountStore,
  passwords,
  limits,
  beginGuess,
}: OwnPasswordDeps): SignInService['changePassword'] => {
  return async ({ playerId, signInId }, { current, next }, { address, requestId }) => {
    if (provider.name !== 'local') throw providerMismatch(provider.name)
    validatePassword(next, '/next')
    const account = await accountStore.findByPlayerId(playerId)
    if (account === undefined)
      throw new AppError('unauthenticated', 'invalid-token', 'The account of this token no longer exists. Sign in again.')
    await limits.countLogin(address, account.email)
    if (account.passwordHash === undefined) throw noPassword()
    const guess = await beginGuess(account.email, { address, requestId })
    const matches = await passwords.verify(current, account.passwordHash, address).catch(async (error: unknown) => {
      await guess.drop()
      throw error
    })
    if (!matches) {
      await guess.wrong()
      throw wrongPassword()
    }
    await guess.drop()
    await accounts.setOwnPassword({ account, next, address, requestId, keptSignInId: signInId, pointer: '/next' })
  }
}
