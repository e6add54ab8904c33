import { FormDialog } from '../parts/dialog.tsx'
import { Field } from '../parts/field.tsx'
import { Named } from '../parts/named.tsx'
import { PasswordField } from '../parts/password-field.tsx'
import { tell } from '../parts/toasts.tsx'
import { call } from '../state/api.ts'
import { go, linkTo } from '../state/route.ts'
import { words } from '../words.ts'

/** Adds an account and opens its page. */
export const AddAccount = ({ close }: { readonly close: () => void }) => {
  const submit = async (fields: FormData): Promise<void> => {
    const text = (name: string) => String(fields.get(name)).trim()
    const displayName = text('displayName')
    const { body } = await call('POST /api/admin/users', {
      body: { email: text('email'), password: String(fields.get('password')), ...(displayName !== '' && { displayName }) },
    })
    tell(<Named say={words.people.added} names={[body.email]} />)
    go(linkTo(['people', body.email]))
  }
  return (
    <FormDialog title={words.people.add} action={words.people.add} close={close} submit={submit}>
      <Field label={words.people.email}>
        <input name="email" type="email" required maxLength={254} autocomplete="off" />
      </Field>
      <PasswordField label={words.signIn.password} isNew />
      <Field label={words.claim.displayName}>
        <input name="displayName" maxLength={32} autocomplete="off" />
      </Field>
    </FormDialog>
  )
}
