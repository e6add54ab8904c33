import { type Signal, useSignal } from '@preact/signals'
import type { Credentials, NewAccount, SignInRule } from '../state/account.ts'
import { words } from '../words.ts'
import { Backdrop } from './backdrop.tsx'
import { PasswordField } from './door-fields.tsx'
import { RegisterForm } from './register-form.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { WorldField } from './world-field.tsx'

/** The forms of the sign-in page. */
export type DoorWay = 'sign-in' | 'register' | 'reset'

export type DoorProps = {
  readonly way: Signal<DoorWay>
  readonly rule: SignInRule | undefined
  readonly problem: string
  readonly notice: string
  readonly invitation: string
  /** The password was wrong, and the server requires none. */
  readonly isWrong: boolean
  readonly isBusy: boolean
  readonly worlds: readonly string[]
  readonly world: string
  readonly onWorld: (world: string) => void
  readonly onSignIn: (credentials: Credentials) => void
  readonly onRegister: (wanted: NewAccount) => void
  readonly onPassword: (password: string) => void
  readonly onLeave: () => void
  readonly onRetry: () => void
}

const PasswordForm = ({ isBusy, onPassword }: Pick<DoorProps, 'isBusy' | 'onPassword'>) => {
  const password = useSignal('')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onPassword(password.value)
      }}
    >
      <PasswordField value={password} isRequired isNew />
      <button type="submit" class="main" disabled={isBusy}>
        {isBusy ? words.signIn.waiting : words.reset.go}
      </button>
    </form>
  )
}

const LocalDoor = (props: DoorProps & { readonly rule: SignInRule }) => {
  const { way, rule, invitation, isBusy } = props
  const mayRegister = rule.registration === 'open' || rule.registration === 'invite'
  if (way.value === 'reset') return <PasswordForm isBusy={isBusy} onPassword={props.onPassword} />
  const isNew = way.value === 'register' && mayRegister
  return (
    <>
      {isNew ? (
        <RegisterForm
          isInvited={rule.registration === 'invite'}
          invitation={invitation}
          isBusy={isBusy}
          onRegister={props.onRegister}
        />
      ) : (
        <SignInForm rule={rule} isWrong={props.isWrong} isBusy={isBusy} onSignIn={props.onSignIn} />
      )}
      {mayRegister ? (
        <button
          type="button"
          class="link"
          onClick={() => {
            way.value = isNew ? 'sign-in' : 'register'
          }}
        >
          {isNew ? words.register.instead : words.register.lead}
        </button>
      ) : null}
    </>
  )
}

const leadOf = ({ way, rule }: DoorProps): string => {
  if (way.value === 'reset') return words.reset.lead
  const isEmailEnough = rule?.provider === 'local' && !rule.requirePassword && way.value === 'sign-in'
  return isEmailEnough ? words.signIn.leadByEmail : words.signIn.lead
}

/** The sign-in page, by the server's sign-in methods. */
export const Door = (props: DoorProps) => {
  const { way, rule, problem, notice } = props
  return (
    <main class="door">
      <Backdrop />
      <div class="window">
        <h1>{words.title}</h1>
        <p class="lead">{leadOf(props)}</p>
        {notice === '' || problem !== '' ? null : <p role="status">{notice}</p>}
        {rule === undefined && problem === '' ? <p class="pulse">{words.signIn.waiting}</p> : null}
        {rule === undefined && problem !== '' ? (
          <button type="button" class="main" onClick={props.onRetry}>
            {words.signIn.again}
          </button>
        ) : null}
        {rule === undefined || way.value === 'reset' ? null : (
          <WorldField worlds={props.worlds} world={props.world} onChange={props.onWorld} />
        )}
        {rule?.provider === 'oauth' ? (
          <button type="button" class="main" onClick={props.onLeave}>
            {words.signIn.provider}
          </button>
        ) : null}
        {rule?.provider === 'local' ? <LocalDoor {...props} rule={rule} /> : null}
        <p class="problem" role="alert">
          {problem === '' ? null : <bdi>{problem}</bdi>}
        </p>
      </div>
    </main>
  )
}
