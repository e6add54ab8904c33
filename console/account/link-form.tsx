import { useState } from 'preact/hooks'
import { register, resetPassword } from '../../sdk/client.ts'
import { Field } from '../parts/field.tsx'
import { ProblemBox } from '../parts/problem-box.tsx'
import { type DoorLink, serverUrl, session } from '../state/session.ts'
import { words } from '../words.ts'

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

/** What a link that somebody was sent opens: a new password of one's own, or an account of one's own. */
export const LinkForm = ({ link }: { readonly link: DoorLink }) => {
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (!(event.currentTarget instanceof HTMLFormElement)) return
    setBusy(true)
    setError(undefined)
    await act(link, new FormData(event.currentTarget)).catch(setError)
    setBusy(false)
  }
  const isInvitation = link.kind === 'invite'
  return (
    <form onSubmit={submit}>
      <p>{isInvitation ? words.ways.inviteLead : words.ways.resetLead}</p>
      {isInvitation && (
        <Field label={words.signIn.email}>
          <input name="email" type="email" required autocomplete="username" maxLength={254} />
        </Field>
      )}
      <Field label={isInvitation ? words.signIn.password : words.people.newPassword} hint={words.people.passwordHint}>
        <input name="password" type="password" required autocomplete="new-password" minLength={8} maxLength={72} />
      </Field>
      {isInvitation && (
        <Field label={words.ways.displayName}>
          <input name="displayName" autocomplete="nickname" maxLength={32} />
        </Field>
      )}
      <ProblemBox error={error} />
      <button type="submit" class="main" disabled={isBusy}>
        {isBusy ? words.working : isInvitation ? words.ways.invite : words.ways.reset}
      </button>
    </form>
  )
}
