import { useLayoutEffect, useRef } from 'preact/hooks'
import { FormDialog } from '../parts/dialog.tsx'
import { Field } from '../parts/field.tsx'
import { Named } from '../parts/named.tsx'
import { PasswordField } from '../parts/password-field.tsx'
import { describeProblem } from '../parts/problem-box.tsx'
import { tell } from '../parts/toasts.tsx'
import { call, reloadAll } from '../state/api.ts'
import { go, linkTo } from '../state/route.ts'
import { words } from '../words.ts'

/** Adds an account and opens its page, or adds several with one password. */
export const AddAccount = ({ email = '', close }: { readonly email?: string; readonly close: () => void }) => {
  const field = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    // Chromium shows no default value in a field for several emails.
    if (field.current !== null) field.current.value = email
  }, [])
  const submit = async (fields: FormData): Promise<void> => {
    const text = (name: string) => String(fields.get(name)).trim()
    const emails = text('email').split(/[\s,]+/)
    const displayName = emails.length === 1 ? text('displayName') : ''
    const failed: string[] = []
    for (const one of emails)
      await call('POST /api/admin/users', {
        body: { email: one, password: String(fields.get('password')), ...(displayName !== '' && { displayName }) },
      }).catch((error: unknown) => {
        if (emails.length === 1) throw error
        failed.push(`${one}: ${describeProblem(error)}`)
      })
    if (emails.length > 1) reloadAll()
    if (failed.length > 0) throw new Error(words.people.bulkFailed(emails.length - failed.length, failed))
    tell(<Named say={words.people.added} names={[words.listNames(emails)]} />)
    if (emails.length === 1) go(linkTo(['people', ...emails]))
  }
  return (
    <FormDialog title={words.people.add} action={words.people.add} close={close} submit={submit}>
      <Field label={words.people.email} hint={words.people.emailsHint}>
        <input name="email" type="email" required multiple maxLength={5000} autocomplete="off" ref={field} />
      </Field>
      <PasswordField label={words.signIn.password} isNew />
      <Field label={words.claim.displayName}>
        <input name="displayName" maxLength={32} autocomplete="off" />
      </Field>
    </FormDialog>
  )
}
