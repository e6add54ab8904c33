import { AppError } from '../../kernel/errors.ts'
import type { Account } from '../accounts/account.ts'
import { parseEmail } from '../accounts/email.ts'
import type { AccountService } from '../accounts/service/account-service.ts'
import type { AccountStore } from '../accounts/store/account-store.ts'
import { isCommonPassword } from '../passwords/common-passwords.ts'
import type { PasswordHasher } from '../passwords/passwords.ts'
import type { AuthProvider } from './provider/provider.ts'
import { invalidCredentials, providerMismatch } from './provider/provider.ts'

export type LocalProviderDeps = {
  readonly accountStore: Pick<AccountStore, 'findByEmail'>
  readonly accounts: Pick<AccountService, 'renewPassword' | 'signUp'>
  readonly passwords: Pick<PasswordHasher, 'prove'>
  /** `auth.local.requirePassword` now. */
  readonly requirePassword: () => boolean
}

const passwordMissing = () =>
  new AppError('invalid', 'bad-request', 'This server requires a password.', {
    errors: [{ pointer: '/password', message: 'is required' }],
  })

/**
 * Sign-in with email and password. If a password is required, an unknown email costs one bcrypt comparison like a known one and gets the
 * same refusal. If not, every email signs in, and a matching password makes the sign-in verified.
 */
export const createLocalProvider = (deps: LocalProviderDeps): AuthProvider => {
  const { accountStore, accounts, passwords, requirePassword } = deps
  /** The current account if the password matches, with its hash renewed or its `passwordKind` updated if needed; undefined otherwise. */
  const prove = async (account: Account | undefined, password: string, address: string): Promise<Account | undefined> => {
    const proof = await passwords.prove(password, account?.passwordHash, address)
    if (account === undefined || proof === 'wrong') return undefined
    // Also updates accounts older than `passwordKind`, and hashes that an operator wrote by hand.
    const isNoted = (account.passwordKind === 'common') === (await isCommonPassword(password))
    if (proof === 'right' && isNoted) return account
    const renewed = await accounts.renewPassword(account, password, address)
    if (renewed !== undefined) return renewed
    // Another sign-in may have renewed the hash at the same moment, or the password has changed.
    const latest = await accountStore.findByEmail(account.email)
    if (latest?.passwordHash === account.passwordHash) return latest
    return (await passwords.prove(password, latest?.passwordHash, address)) === 'wrong' ? undefined : latest
  }
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
        const account = await prove(found, password, address)
        if (account === undefined) throw invalidCredentials()
        return { account, verified: true }
      }
      // Another process may just have created the account: signing up then returns it, with its password.
      const account = found ?? (await accounts.signUp(email, requestId, displayName))
      if (password === undefined || account.passwordHash === undefined) return { account, verified: false }
      const proven = await prove(account, password, address)
      return { account: proven ?? account, verified: proven !== undefined }
    },
    oauthStartUrl: async () => mismatch(),
    oauthCallback: async () => mismatch(),
    oauthReturnUrl: mismatch,
  }
}
