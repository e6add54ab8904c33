import { parseEmail } from '../accounts/email.ts'
import type { AccountService } from '../accounts/service/account-service.ts'
import type { AccountStore } from '../accounts/store/account-store.ts'
import { AppError } from '../kernel/errors.ts'
import type { PasswordHasher } from './passwords/passwords.ts'
import type { AuthProvider } from './provider/provider.ts'
import { invalidCredentials, providerMismatch } from './provider/provider.ts'

export type LocalProviderDeps = {
  readonly accountStore: Pick<AccountStore, 'findByEmail'>
  readonly accounts: Pick<AccountService, 'signUp'>
  readonly passwords: Pick<PasswordHasher, 'verify'>
  /** `auth.local.requirePassword` as it is in force now. */
  readonly requirePassword: () => boolean
}

const passwordMissing = () =>
  new AppError('invalid', 'bad-request', 'This server asks for a password.', {
    errors: [{ pointer: '/password', message: 'is required' }],
  })

/**
 * Sign-in by email and password. Where a password is required, an unknown email costs one bcrypt comparison as a known one does, and is refused in the same words. Where it is not, every email signs in, and a matching password makes the sign-in verified.
 */
export const createLocalProvider = (deps: LocalProviderDeps): AuthProvider => {
  const { accountStore, accounts, passwords, requirePassword } = deps
  const mismatch = () => {
    throw providerMismatch('local')
  }
  return {
    name: 'local',
    login: async (text, password, { requestId, address, displayName }) => {
      const email = parseEmail(text)
      const isRequired = requirePassword()
      if (isRequired && password === undefined) throw passwordMissing()
      const found = await accountStore.findByEmail(email)
      if (isRequired && password !== undefined) {
        const matches = await passwords.verify(password, found?.passwordHash, address)
        if (found === undefined || !matches) throw invalidCredentials()
        return { account: found, verified: true }
      }
      // Another process may just have added the account: signing up then finds it, with its password.
      const account = found ?? (await accounts.signUp(email, requestId, displayName))
      const { passwordHash } = account
      if (password === undefined || passwordHash === undefined) return { account, verified: false }
      return { account, verified: await passwords.verify(password, passwordHash, address) }
    },
    oauthStartUrl: async () => mismatch(),
    oauthCallback: async () => mismatch(),
    oauthReturnUrl: mismatch,
  }
}
