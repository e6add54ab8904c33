import { useSignal } from '@preact/signals'
import type { Credentials, SignInRule } from '../state/account.ts'
import { words } from '../words.ts'
import { EmailField, PasswordField, TextField } from './door-fields.tsx'

export type SignInFormProps = {
  readonly rule: SignInRule
  readonly isWrong: boolean
  readonly isBusy: boolean
  readonly onSignIn: (credentials: Credentials) => void
}

/** Shows only the fields that the server requires. */
export const SignInForm = ({ rule, isWrong, isBusy, onSignIn }: SignInFormProps) => {
  const [email, password, displayName] = [useSignal(''), useSignal(''), useSignal('')]
  const signInBy = (secret: string) => onSignIn({ email: email.value, password: secret, displayName: displayName.value.trim() })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        signInBy(password.value)
      }}
    >
      <EmailField value={email} />
      {rule.requirePassword ? (
        <PasswordField value={password} isRequired />
      ) : (
        <>
          <TextField label={words.signIn.displayName} name="displayName" value={displayName} />
          {/* A password is optional, but administrators need it for their permissions. */}
          <details>
            <summary>{words.signIn.hasPassword}</summary>
            <PasswordField value={password} />
          </details>
        </>
      )}
      <button type="submit" class="main" disabled={isBusy}>
        {isBusy ? words.signIn.waiting : isWrong ? words.signIn.again : words.signIn.go}
      </button>
      {isWrong ? (
        <>
          <p class="lead">{words.signIn.unverified}</p>
          <button type="button" disabled={isBusy} onClick={() => signInBy('')}>
            {words.signIn.continueUnverified}
          </button>
        </>
      ) : null}
    </form>
  )
}
