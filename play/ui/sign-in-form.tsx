import { useSignal } from '@preact/signals'
import type { SignInRule } from '../state/account.ts'
import { words } from '../words.ts'
import { Backdrop } from './backdrop.tsx'

export type SignInFormProps = {
  readonly rule: SignInRule | undefined
  readonly problem: string
  readonly isBusy: boolean
  readonly onSignIn: (email: string, password: string) => void
  readonly onLeave: () => void
  readonly onRetry: () => void
}

/** Asks for what the server asks for, and no more. */
export const SignInForm = ({ rule, problem, isBusy, onSignIn, onLeave, onRetry }: SignInFormProps) => {
  const email = useSignal('')
  const password = useSignal('')
  return (
    <main class="door">
      <Backdrop />
      <form
        class="window"
        onSubmit={(event) => {
          event.preventDefault()
          onSignIn(email.value, password.value)
        }}
      >
        <h1>{words.title}</h1>
        <p class="lead">{words.signIn.lead}</p>
        {rule === undefined && problem === '' ? <p class="pulse">{words.signIn.waiting}</p> : null}
        {rule === undefined && problem !== '' ? (
          <button type="button" class="main" onClick={onRetry}>
            {words.signIn.again}
          </button>
        ) : null}
        {rule?.provider === 'oauth' ? (
          <button type="button" class="main" onClick={onLeave}>
            {words.signIn.provider}
          </button>
        ) : null}
        {rule?.provider === 'local' ? (
          <>
            <label>
              {words.signIn.email}
              <input
                type="email"
                name="email"
                required
                maxLength={254}
                autoComplete="username"
                // biome-ignore lint/a11y/noAutofocus: the page is nothing but this field
                autoFocus
                value={email.value}
                onInput={({ currentTarget }) => {
                  email.value = currentTarget.value
                }}
              />
            </label>
            {rule.requirePassword ? (
              <label>
                {words.signIn.password}
                <input
                  type="password"
                  name="password"
                  required
                  autoComplete="current-password"
                  value={password.value}
                  onInput={({ currentTarget }) => {
                    password.value = currentTarget.value
                  }}
                />
              </label>
            ) : (
              <PasswordIfAny value={password.value} onValue={(value) => (password.value = value)} />
            )}
            <button type="submit" class="main" disabled={isBusy}>
              {isBusy ? words.signIn.waiting : words.signIn.go}
            </button>
          </>
        ) : null}
        <p class="problem" role="alert">
          {problem}
        </p>
      </form>
    </main>
  )
}

/** Where none is asked for, one may still prove who one is: administrators need that for what is theirs. */
const PasswordIfAny = ({ value, onValue }: { value: string; onValue: (value: string) => void }) => (
  <details>
    <summary>{words.signIn.emailAlone}</summary>
    <label>
      {words.signIn.password}
      <input
        type="password"
        name="password"
        autoComplete="current-password"
        value={value}
        onInput={({ currentTarget }) => onValue(currentTarget.value)}
      />
    </label>
  </details>
)
