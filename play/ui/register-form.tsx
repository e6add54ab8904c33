import { useSignal } from '@preact/signals'
import type { NewAccount } from '../state/account.ts'
import { words } from '../words.ts'
import { EmailField, PasswordField, TextField } from './door-fields.tsx'

export type RegisterFormProps = {
  /** An invitation is required. */
  readonly isInvited: boolean
  /** The invitation from the link. */
  readonly invitation: string
  readonly isBusy: boolean
  readonly onRegister: (wanted: NewAccount) => void
}

/** Registers an account. */
export const RegisterForm = ({ isInvited, invitation: given, isBusy, onRegister }: RegisterFormProps) => {
  const [email, password, displayName, invitation] = [useSignal(''), useSignal(''), useSignal(''), useSignal(given)]
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onRegister({
          email: email.value,
          password: password.value,
          displayName: displayName.value.trim(),
          invitation: invitation.value.trim(),
        })
      }}
    >
      <EmailField value={email} />
      <PasswordField value={password} isRequired isNew />
      <TextField label={words.register.displayName} name="displayName" value={displayName} />
      {isInvited ? <TextField label={words.register.invitation} name="invitation" value={invitation} isRequired /> : null}
      <button type="submit" class="main" disabled={isBusy}>
        {isBusy ? words.signIn.waiting : words.register.go}
      </button>
    </form>
  )
}
