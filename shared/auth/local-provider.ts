import type { AccountService } from '../accounts/account-service.ts'
import type { AccountStore } from '../accounts/account-store.ts'
import { parseEmail } from '../accounts/email.ts'
import { invalidCredentials } from './invalid-credentials.ts'
import type { PasswordHasher } from './passwords.ts'
import type { AuthProvider } from './provider.ts'
import { providerMismatch } from './provider-mismatch.ts'

export type LocalProviderDeps = {
  readonly accountStore: Pick<AccountStore, 'findByEmail'>
  readonly accounts: Pick<AccountService, 'signUp'>
  readonly passwords: Pick<PasswordHasher, 'verify'>
  /** `auth.local.requirePassword` as it is in force now. */
  readonly requirePassword: () => boolean
}

/**
 * Sign-in by email and password. Where a password is required, an unknown email costs one bcrypt comparison as a known one does,
 * and is refused in the same words; where it is not, every email signs in, and a password that matches makes the sign-in verified.
 */
export const createLocalProvider = (deps: LocalProviderDeps): AuthProvider => {
  const { accountStore, accounts, passwords, requirePassword } = deps
  const mismatch = () => {
    throw providerMismatch('local')
  }
  return {
    name: 'local',
    login: async (text, password, requestId) => {
      const email = parseEmail(text)
      const account = await accountStore.findByEmail(email)
      if (requirePassword()) {
        const matches = await passwords.verify(password, account?.passwordHash)
        if (account === undefined || !matches) throw invalidCredentials()
        return { account, verified: true }
      }
      if (account === undefined) return { account: await accounts.signUp(email, requestId), verified: false }
      const { passwordHash } = account
      return { account, verified: passwordHash !== undefined && (await passwords.verify(password, passwordHash)) }
    },
    oauthStartUrl: async () => mismatch(),
    oauthCallback: async () => mismatch(),
    oauthReturnUrl: mismatch,
  }
}
