import { GatehouseError, signIn } from '../../sdk/auth.ts'
import { Field } from '../parts/field.tsx'
import { PasswordField } from '../parts/password-field.tsx'
import { useLoad } from '../state/load.ts'
import { enter, leaveToProvider, serverUrl } from '../state/session.ts'
import { words } from '../words/of-frame.ts'
import { askHow } from './ask-how.ts'
import { DoorForm } from './door-form.tsx'

const submit = async (fields: FormData): Promise<void> => {
  const password = String(fields.get('password'))
  const me = await signIn({ url: serverUrl, email: String(fields.get('email')), password, remember: false })
  if (password !== '' && me.verified === false) {
    // Where the server requires no password, it lets in a visitor with a wrong one.
    await me.signOut().catch(() => undefined)
    throw new GatehouseError('wrong-password', words.signIn.wrongPassword)
  }
  await enter(me)
}

/** The way out for a user without a password: a server sends no email. */
const Forgotten = () => (
  <details class="forgotten">
    <summary>{words.signIn.forgot}</summary>
    <p>{words.signIn.forgotAsk}</p>
    <p>
      {words.signIn.forgotAlone} <code>{words.signIn.forgotCommand}</code>
    </p>
  </details>
)

/** Signs in as the server asks for it: by email and password, or at the identity provider. */
export const SignInForm = ({ email = '' }: { readonly email?: string }) => {
  const how = useLoad(askHow, [])
  if (how.value !== undefined && how.value.provider !== 'local')
    return (
      <button type="button" class="main" onClick={leaveToProvider}>
        {words.signIn.atProvider}
      </button>
    )
  return (
    <>
      <DoorForm action={words.signIn.submit} submit={submit} problem={how.error}>
        <Field label={words.signIn.email} name="email">
          <input name="email" type="email" required autocomplete="username" maxLength={254} defaultValue={email} />
        </Field>
        <PasswordField
          label={words.signIn.password}
          isRequired={how.value?.requirePassword ?? false}
          {...(how.value?.requirePassword === false && { hint: words.signIn.passwordHint })}
        />
      </DoorForm>
      <Forgotten />
    </>
  )
}
