import { PasswordField } from '../parts/password-field.tsx'
import { tell } from '../parts/toasts.tsx'
import { refreshPermissions } from '../state/api.ts'
import { session } from '../state/session.ts'
import { words } from '../words/of-frame.ts'
import { DoorForm } from './door-form.tsx'

/** Sets the password of the user who is signed in. */
export const NewPassword = ({ onDone }: { readonly onDone?: () => void }) => {
  const submit = async (fields: FormData): Promise<void> => {
    const state = session.peek()
    if (state.kind !== 'in') return
    await state.me.changePassword({ current: String(fields.get('current')), next: String(fields.get('password')) })
    tell(words.newPassword.done)
    onDone?.()
    await refreshPermissions()
  }
  return (
    <DoorForm action={words.newPassword.submit} submit={submit}>
      <PasswordField label={words.newPassword.current} name="current" />
      <PasswordField label={words.newPassword.field} isNew />
    </DoorForm>
  )
}
