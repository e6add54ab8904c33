import { parseEmail } from '../../../shared/domain/accounts/email.ts'
import { invalidCredentials, providerMismatch } from '../../../shared/domain/auth/provider/provider.ts'
import type { CreateProvider } from '../../../shared/domain/auth/providers.ts'

/** A third provider, as in docs/providers.md: every account signs in with the club's password of the day. */
export const createClubProvider: CreateProvider = ({ accountStore, passwords, readSecret }) => {
  const mismatch = () => {
    throw providerMismatch('club')
  }
  return {
    name: 'club',
    login: async (text, password = '', { address }) => {
      const account = await accountStore.findByEmail(parseEmail(text))
      const matches = await passwords.verify(password, readSecret('CLUB_PASSWORD_HASH'), address)
      if (account === undefined || !matches) throw invalidCredentials()
      return { account, verified: true }
    },
    oauthStartUrl: async () => mismatch(),
    oauthCallback: async () => mismatch(),
    oauthReturnUrl: mismatch,
  }
}
