import { useState } from 'preact/hooks'
import type { Answer } from '../../sdk/admin.ts'
import { Badges } from '../parts/badges.tsx'
import { FormDialog } from '../parts/dialog.tsx'
import { Field } from '../parts/field.tsx'
import { Named } from '../parts/named.tsx'
import { tellDone } from '../parts/toasts.tsx'
import { call } from '../state/api.ts'
import { go, linkTo, route } from '../state/route.ts'
import { words } from '../words.ts'
import { findEmail } from './find-person.ts'

type Plan = Answer<'POST /api/admin/users/{email}/merge'>['body']

/** The effects of a merge, before it is confirmed. */
const Preview = ({ from, plan }: { readonly from: string; readonly plan: Plan }) => {
  const { into, addedGroups, addedGrants, movesPassword, sanctions, zones, apiTokens } = plan
  return (
    <>
      <p>
        <Named say={words.people.merge.confirmLead} names={[from, into.email]} />
      </p>
      <dl class="facts">
        <dt>{words.people.merge.groups}</dt>
        <dd>{addedGroups.length === 0 ? words.none : <Badges names={addedGroups} />}</dd>
        <dt>{words.people.merge.grants}</dt>
        <dd>{addedGrants}</dd>
        <dt>{words.people.merge.zones}</dt>
        <dd>
          {zones.length === 0
            ? words.none
            : zones.map(({ id, name }, at) => (
                <span key={id}>
                  {at > 0 && ', '}
                  <bdi>{name}</bdi>
                </span>
              ))}
        </dd>
        <dt>{words.people.merge.sanctions}</dt>
        <dd>
          {sanctions.length === 0
            ? words.none
            : sanctions.map(({ id, kind, reason }) => (
                <div key={id}>
                  {words.sanctions[kind]}: <bdi>{reason}</bdi>
                </div>
              ))}
        </dd>
        <dt>{words.people.merge.tokens}</dt>
        <dd>{apiTokens}</dd>
      </dl>
      <p>{movesPassword ? words.people.merge.passwordMoves : words.people.merge.passwordStays}</p>
      <p class="quiet">{words.people.merge.notMoved}</p>
    </>
  )
}

/** Merges this account into another: choose it, read the preview, confirm. The address may name the other account. */
export const MergeAccount = ({
  account: { email: from },
  close,
}: {
  readonly account: { readonly email: string }
  readonly close: () => void
}) => {
  const [plan, setPlan] = useState<Plan>()
  const params = { email: from }
  if (plan === undefined)
    return (
      <FormDialog
        key="choose"
        title={words.people.merge.title}
        action={words.people.merge.preview}
        close={close}
        done={() => undefined}
        submit={async (fields) => {
          const whom = String(fields.get('into')).trim()
          const into = whom.includes('@') ? whom : await findEmail(whom)
          setPlan((await call('POST /api/admin/users/{email}/merge', { params, body: { into, dryRun: true } })).body)
        }}
      >
        <p>{words.people.merge.lead}</p>
        <Field label={words.people.merge.into} hint={words.people.merge.intoHint}>
          <input name="into" required maxLength={254} autocomplete="off" defaultValue={route.peek().query.get('merge') ?? ''} />
        </Field>
      </FormDialog>
    )
  const { email: into } = plan.into
  return (
    <FormDialog
      key="confirm"
      title={words.people.merge.title}
      action={words.people.merge.submit}
      isBad
      close={close}
      submit={async () => {
        const answer = await call('POST /api/admin/users/{email}/merge', { params, body: { into } })
        tellDone(<Named say={words.people.merge.done} names={[from, into]} />, answer)
        // Replaces the address of the deleted account, at once.
        go(linkTo(['people', into]), true)
      }}
    >
      <Preview from={from} plan={plan} />
    </FormDialog>
  )
}
