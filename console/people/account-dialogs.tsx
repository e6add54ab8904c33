import { useState } from 'preact/hooks'
import type { Answer } from '../../sdk/admin.ts'
import { Copyable } from '../parts/copyable.tsx'
import { Dialog, FormDialog } from '../parts/dialog.tsx'
import { Field } from '../parts/field.tsx'
import { Loading } from '../parts/loading.tsx'
import { Named } from '../parts/named.tsx'
import { PasswordField } from '../parts/password-field.tsx'
import { Time } from '../parts/time.tsx'
import { tell, tellDone } from '../parts/toasts.tsx'
import { call } from '../state/api.ts'
import { useLoad } from '../state/load.ts'
import { go, linkTo } from '../state/route.ts'
import { mayDo, serverUrl } from '../state/session.ts'
import { words } from '../words.ts'

export type Account = Answer<'GET /api/admin/users/{email}'>['body']
export type Versioned = { readonly account: Account; readonly etag: string | undefined }

type Props = Versioned & { readonly close: () => void }

/** The version that was read. Saving over a newer version fails. */
const ifMatch = ({ etag }: Versioned) => (etag === undefined ? {} : { ifMatch: etag })

export const Rename = ({ account, etag, close }: Props) => {
  const submit = async (fields: FormData): Promise<void> => {
    const displayName = String(fields.get('displayName')).trim()
    const params = { email: account.email }
    const answer = await call('PUT /api/admin/users/{email}', { params, body: { displayName }, ...ifMatch({ account, etag }) })
    tellDone(<Named say={words.people.renamed} names={[displayName]} />, answer)
  }
  return (
    <FormDialog title={words.people.rename} action={words.save} close={close} submit={submit}>
      <Field label={words.people.displayName}>
        <input name="displayName" required maxLength={32} defaultValue={account.displayName} />
      </Field>
    </FormDialog>
  )
}

export const ChangeEmail = ({ account, etag, close }: Props) => {
  const submit = async (fields: FormData): Promise<void> => {
    const email = String(fields.get('email')).trim()
    const params = { email: account.email }
    const answer = await call('PUT /api/admin/users/{email}', { params, body: { email }, ...ifMatch({ account, etag }) })
    tellDone(<Named say={words.people.emailChanged} names={[answer.body.email]} />, answer)
    go(linkTo(['people', answer.body.email]))
  }
  return (
    <FormDialog title={words.people.changeEmail} action={words.save} close={close} submit={submit}>
      <Field label={words.people.email} hint={words.people.changeEmailHint}>
        <input name="email" type="email" required maxLength={254} autocomplete="off" defaultValue={account.email} />
      </Field>
    </FormDialog>
  )
}

/** Makes a link with which the user chooses a new password. The server never shows it again. */
export const ResetLink = ({ account, close }: Props) => {
  const [made, setMade] = useState<{ readonly code: string; readonly until: string }>()
  if (made !== undefined)
    return (
      <Dialog title={words.people.resetLink} close={close}>
        <p>
          {words.people.resetSend} <Time at={made.until} exact />
        </p>
        <Copyable text={`${serverUrl}/play#reset=${made.code}`} label={words.people.invite.link} />
      </Dialog>
    )
  const submit = async (): Promise<void> => {
    setMade((await call('POST /api/admin/users/{email}/reset-link', { params: { email: account.email } })).body)
  }
  return (
    <FormDialog
      title={words.people.resetLink}
      action={words.people.invite.submit}
      close={close}
      done={() => undefined}
      submit={submit}
    >
      <p>{words.people.resetLead}</p>
    </FormDialog>
  )
}

export const ChangeGroups = ({ account, etag, close }: Props) => {
  const known = useLoad(async (signal) => (await call('GET /api/admin/groups', { signal })).body.groups, [])
  const submit = async (fields: FormData): Promise<void> => {
    const groups = fields.getAll('group').map(String)
    const params = { email: account.email }
    const answer = await call('PUT /api/admin/users/{email}', { params, body: { groups }, ...ifMatch({ account, etag }) })
    tellDone(words.people.groupsChanged, answer)
  }
  return (
    <FormDialog
      title={words.people.changeGroups}
      action={words.save}
      close={close}
      submit={submit}
      // Without the list no box is checked, and saving would remove all groups.
      isReady={known.value !== undefined}
    >
      <Loading of={known}>
        {(groups) => {
          const names = groups.map(({ name }) => name)
          const all = [...names, ...account.groups.filter((name) => !names.includes(name))]
          return (
            <fieldset>
              <legend>{words.people.groups}</legend>
              {all.map((name) => (
                <label key={name} class="check">
                  <input type="checkbox" name="group" value={name} defaultChecked={account.groups.includes(name)} />
                  {names.includes(name) ? name : words.people.unknownGroup(name)}
                </label>
              ))}
            </fieldset>
          )
        }}
      </Loading>
      <p class="quiet">{words.people.groupsHint}</p>
    </FormDialog>
  )
}

export const SetPassword = ({ account, etag, close }: Props) => {
  const submit = async (fields: FormData): Promise<void> => {
    const params = { email: account.email }
    const body = { password: String(fields.get('password')) }
    await call('PUT /api/admin/users/{email}', { params, body, ...ifMatch({ account, etag }) })
    tell(words.people.passwordSet)
  }
  return (
    <FormDialog title={words.people.setPassword} action={words.save} close={close} submit={submit}>
      <PasswordField label={words.newPassword.field} isNew />
    </FormDialog>
  )
}

export const DeleteAccount = ({ account, etag, close }: Props) => {
  const submit = async (): Promise<void> => {
    const answer = await call('DELETE /api/admin/users/{email}', {
      params: { email: account.email },
      ...ifMatch({ account, etag }),
    })
    tellDone(
      <>
        <Named say={words.people.deleted} names={[account.email]} />{' '}
        {mayDo('admin.audit.read') && <a href={linkTo(['people', account.email])}>{words.people.showDeleted}</a>}
      </>,
      answer,
    )
    go(linkTo(['people']))
  }
  return (
    <FormDialog
      title={<Named say={words.people.deleteTitle} names={[account.email]} />}
      action={words.people.delete}
      isBad
      close={close}
      submit={submit}
    >
      <p>{words.people.deleteLead}</p>
    </FormDialog>
  )
}
