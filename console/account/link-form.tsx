import { register, resetPassword } from '../../sdk/auth.ts'
import { Field } from '../parts/field.tsx'
import { PasswordField } from '../parts/password-field.tsx'
import { type DoorLink, serverUrl, session } from '../state/session.ts'
import { words } from '../words/of-frame.ts'
import { DoorForm } from './door-form.tsx'

const act = async ({ kind, code }: DoorLink, fields: FormData): Promise<void> => {
  const text = (name: string) => String(fields.get(name)).trim()
  const password = String(fields.get('password'))
  if (kind === 'reset') {
    await resetPassword({ url: serverUrl, code, password })
    session.value = { kind: 'out', why: words.ways.isReset }
    return
  }
  const displayName = text('displayName')
  const named = displayName === '' ? {} : { displayName }
  await register({ url: serverUrl, email: text('email'), password, invitation: code, ...named })
  session.value = { kind: 'out', why: words.ways.isMade }
}

/** The form behind a link for one person: a new password, or an account by invitation. */
export const LinkForm = ({ link }: { readonly link: DoorLink }) => {
  const isInvitation = link.kind === 'invite'
  return (
    <>
      <p>{isInvitation ? words.ways.inviteLead : words.ways.resetLead}</p>
      <DoorForm action={isInvitation ? words.ways.invite : words.ways.reset} submit={(fields) => act(link, fields)}>
        {isInvitation && (
          <Field label={words.signIn.email} name="email">
            <input name="email" type="email" required autocomplete="username" maxLength={254} />
          </Field>
        )}
        <PasswordField label={isInvitation ? words.signIn.password : words.newPassword.field} isNew />
        {isInvitation && (
          <Field label={words.ways.displayName} name="displayName">
            <input name="displayName" autocomplete="nickname" maxLength={32} />
          </Field>
        )}
      </DoorForm>
    </>
  )
}
