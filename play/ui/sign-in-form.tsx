import { useSignal } from '@preact/signals'
import type { Credentials, SignInRule } from '../state/account.ts'
import { words } from '../words.ts'
import { EmailField, PasswordField, TextField } from './door-fields.tsx'

export type SignInFormProps = {
  readonly rule: SignInRule
  readonly isBusy: boolean
  readonly onSignIn: (credentials: Credentials) => void
}

/** Asks for what the server asks for, and no more. */
export const SignInForm = ({ rule, isBusy, onSignIn }: SignInFormProps) => {
  const [email, password, displayName] = [useSignal(''), useSignal(''), useSignal('')]
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onSignIn({ email: email.value, password: password.value, displayName: displayName.value.trim() })
      }}
    >
      <EmailField value={email} />
      {rule.requirePassword ? (
        <PasswordField value={password} isRequired />
      ) : (
        <>
          <TextField label={words.signIn.displayName} name="displayName" value={displayName} />
          {/* One may still prove who one is: administrators need that for what is theirs. */}
          <details>
            <summary>{words.signIn.hasPassword}</summary>
            <PasswordField value={password} />
          </details>
        </>
      )}
      <button type="submit" class="main" disabled={isBusy}>
        {isBusy ? words.signIn.waiting : words.signIn.go}
      </button>
    </form>
  )
}
