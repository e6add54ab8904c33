import { FormDialog } from '../parts/dialog.tsx'
import { Field } from '../parts/field.tsx'
import { Loading } from '../parts/loading.tsx'
import { describeProblem } from '../parts/problem-box.tsx'
import { tellDone } from '../parts/toasts.tsx'
import { readUntil, UntilField } from '../parts/until-field.tsx'
import { call } from '../state/api.ts'
import { useLoad } from '../state/load.ts'
import { words } from '../words.ts'

/** An action on one or several accounts. */
export type BulkDialog = 'group' | 'ban' | 'delete'

type Answered = { readonly requestId?: string }
/** Resolves with undefined if there was nothing to change. */
type Work = (email: string, fields: FormData) => Promise<Answered | undefined>

const addToGroup: Work = async (email, fields) => {
  const group = String(fields.get('group'))
  const { body, etag } = await call('GET /api/admin/users/{email}', { params: { email } })
  if (body.groups.includes(group)) return undefined
  const groups = [...body.groups, group]
  return call('PUT /api/admin/users/{email}', {
    params: { email },
    body: { groups },
    ...(etag !== undefined && { ifMatch: etag }),
  })
}

const works: Readonly<Record<BulkDialog, Work>> = {
  group: addToGroup,
  ban: (email, fields) =>
    call('POST /api/admin/sanctions', {
      body: { kind: 'ban', email, reason: String(fields.get('reason')).trim(), ...readUntil(fields) },
    }),
  delete: (email) => call('DELETE /api/admin/users/{email}', { params: { email } }),
}

const GroupField = () => {
  const known = useLoad(async (signal) => (await call('GET /api/admin/groups', { signal })).body.groups, [])
  return (
    <Loading of={known}>
      {(groups) => (
        <Field label={words.people.bulkGroup}>
          <select name="group">
            {groups.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </Field>
      )}
    </Loading>
  )
}

/** Confirms the action and runs it account by account. What failed is named, and the rest is done. */
export const BulkForm = ({
  bulk,
  emails,
  done,
  close,
}: {
  readonly bulk: BulkDialog
  readonly emails: readonly string[]
  readonly done: () => void
  readonly close: () => void
}) => {
  const submit = async (fields: FormData): Promise<void> => {
    const failed: string[] = []
    const answers: Answered[] = []
    for (const email of emails)
      try {
        const answer = await works[bulk](email, fields)
        if (answer !== undefined) answers.push(answer)
      } catch (error) {
        failed.push(`${email}: ${describeProblem(error)}`)
      }
    done()
    if (failed.length > 0) throw new Error(words.people.bulkFailed(emails.length - failed.length, failed))
    tellDone(words.people.bulkDone(emails.length), ...answers)
  }
  return (
    <FormDialog
      title={words.people.bulkTitle[bulk](emails.length)}
      action={words.people.bulk[bulk]}
      isBad={bulk !== 'group'}
      close={close}
      submit={submit}
    >
      <p class="bulk-names">
        <bdi>{words.listNames(emails.slice(0, 10))}</bdi> {emails.length > 10 && words.home.andMore(emails.length - 10, false)}
      </p>
      {bulk === 'group' && <GroupField />}
      {bulk === 'ban' && (
        <>
          <UntilField label={words.sanctions.forHowLong} />
          <Field label={words.sanctions.reason}>
            <input name="reason" required maxLength={500} autocomplete="off" />
          </Field>
        </>
      )}
      {bulk === 'delete' && <p>{words.people.deleteLead}</p>}
    </FormDialog>
  )
}
