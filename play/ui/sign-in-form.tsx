import { useSignal } from '@preact/signals'
import type { SignInRule } from '../state/account.ts'
import { words } from '../words.ts'
import { EmailField, PasswordField } from './door-fields.tsx'

export type SignInFormProps = {
  readonly rule: SignInRule
  readonly isBusy: boolean
  readonly onSignIn: (email: string, password: string) => void
}

/** Asks for what the server asks for, and no more. */
export const SignInForm = ({ rule, isBusy, onSignIn }: SignInFormProps) => {
  const email = useSignal('')
  const password = useSignal('')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onSignIn(email.value, password.value)
      }}
    >
      <EmailField value={email} />
      {rule.requirePassword ? (
        <PasswordField value={password} isRequired />
      ) : (
        // Where none is asked for, one may still prove who one is: administrators need that for what is theirs.
        <details>
          <summary>{words.signIn.hasPassword}</summary>
          <PasswordField value={password} />
        </details>
      )}
      <button type="submit" class="main" disabled={isBusy}>
        {isBusy ? words.signIn.waiting : words.signIn.go}
      </button>
    </form>
  )
}
