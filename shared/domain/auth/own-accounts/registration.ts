import { AppError } from '../../../kernel/errors.ts'
import { parseEmail } from '../../accounts/email.ts'
import type { AccountService, Registration } from '../../accounts/service/account-service.ts'
import { type AuthProvider, providerMismatch } from '../provider/provider.ts'
import type { SignInSettings } from '../sign-in-settings.ts'
import type { Invitations } from './invitations.ts'

/** Input of a registration. */
export type RegistrationRequest = Pick<Registration, 'email' | 'password' | 'displayName'> & {
  /** The code of an invitation. */
  readonly invitation?: string
}

type Deps = {
  readonly provider: Pick<AuthProvider, 'name'>
  readonly accounts: Pick<AccountService, 'register'>
  readonly invitations: Pick<Invitations, 'redeem'>
  readonly configs: SignInSettings
  /** Counts the pair of address and email. */
  readonly limits: { countLogin(address: string, email: string): Promise<void> }
}

type Origin = { readonly address: string; readonly requestId: string }

const closed = () =>
  new AppError('forbidden', 'registration-closed', 'Registration is closed on this server. Ask an administrator for an account.')

const invitationMissing = () =>
  new AppError('forbidden', 'invalid-invitation', 'You need an invitation to register here. Send the code of your invitation.')

/** `SignInService.register`. Resolves even if the email already has an account. */
export const createRegistration =
  ({ provider, accounts, invitations, configs, limits }: Deps) =>
  async ({ invitation, ...input }: RegistrationRequest, { address, requestId }: Origin): Promise<void> => {
    if (provider.name !== 'local') throw providerMismatch(provider.name)
    const { registration } = configs.get('server.yaml').auth.local
    if (registration === 'off') throw closed()
    const email = parseEmail(input.email)
    await limits.countLogin(address, email)
    if (invitation !== undefined)
      await invitations.redeem(invitation, email, (groups, checkHeld) =>
        accounts.register({ ...input, address, ...(groups && { groups }), checkHeld }, requestId),
      )
    else if (registration === 'invite') throw invitationMissing()
    else await accounts.register({ ...input, address }, requestId)
  }
