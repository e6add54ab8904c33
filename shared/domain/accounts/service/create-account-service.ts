import { normalizeEmail } from '../email.ts'
import { createAbsorption } from './absorb-account.ts'
import type { AccountService } from './account-service.ts'
import type { AccountServiceDeps } from './account-service-deps.ts'
import { accountMissing, createGroupAddition, createGroupRemoval } from './alter-account.ts'
import { createGrantChanges } from './change-grants.ts'
import { createAccountCreation } from './create-account.ts'
import { createAccountRemoval } from './remove-account.ts'
import { createAccountRestoration, createPuttingBack } from './restore-account.ts'
import { createOwnPasswordChange, createPasswordRenewal } from './set-password.ts'
import { createAdministratorClaim, createRegister, createSignUp } from './sign-up.ts'
import { createAccountUpdate } from './update-account.ts'
import { createVouchedSignIn } from './vouched-sign-in.ts'

/** Account changes over any account store. */
export const createAccountService = (deps: AccountServiceDeps): AccountService => ({
  getAccount: async (text) => {
    const email = normalizeEmail(text)
    const account = email === undefined ? undefined : await deps.accountStore.findByEmail(email)
    if (account === undefined) throw accountMissing()
    return account
  },
  createAccount: createAccountCreation(deps),
  updateAccount: createAccountUpdate(deps),
  removeAccount: createAccountRemoval(deps),
  setOwnPassword: createOwnPasswordChange(deps),
  renewPassword: createPasswordRenewal(deps),
  ...createGrantChanges(deps),
  restoreAccount: createAccountRestoration(deps),
  putBack: createPuttingBack(deps),
  absorb: createAbsorption(deps),
  addGroups: createGroupAddition(deps),
  removeGroups: createGroupRemoval(deps),
  register: createRegister(deps),
  signUp: createSignUp(deps),
  signInVouched: createVouchedSignIn(deps),
  claimAdministrator: createAdministratorClaim(deps),
  hasAdministrator: async () => (await deps.accountStore.listAdministrators()).length > 0,
})
