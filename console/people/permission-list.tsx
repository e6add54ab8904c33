import { useState } from 'preact/hooks'
import { Loading } from '../parts/loading.tsx'
import { Time } from '../parts/time.tsx'
import { call } from '../state/api.ts'
import { useLoad } from '../state/load.ts'
import { words } from '../words.ts'
import type { Account } from './account-dialogs.tsx'
import { type Asked, TryAs } from './try-as.tsx'
import { ZoneName } from './zone-field.tsx'

type Grant = NonNullable<Account['grants']>[number]
/** A group or grant of the account with its rules; undefined rules for a group that does not exist. */
type Source = { readonly name: string; readonly grant?: Grant; readonly rules: readonly string[] | undefined }

type Groups = readonly { readonly name: string; readonly effective: readonly string[] }[]

const listSources = ({ groups, grants = [] }: Account, all: Groups): readonly Source[] => {
  const rulesOf = (group: string) => all.find(({ name }) => name === group)?.effective
  return [
    ...groups.map((name) => ({ name: words.why.group(name), rules: rulesOf(name) })),
    ...grants.map((grant) => {
      const { group, permission } = grant
      return group === undefined
        ? { name: words.why.grant, grant, rules: permission === undefined ? [] : [permission] }
        : { name: words.why.grantOf(group), grant, rules: rulesOf(group) }
    }),
  ]
}

/** The scope and end of a grant, if limited. */
const Limits = ({ grant: { zone, world, until } }: { readonly grant: Grant }) => (
  <span class="quiet">
    {zone === undefined ? world : <ZoneName id={zone} />}{' '}
    {until !== undefined && (
      <>
        {words.why.until} <Time at={until} />
      </>
    )}
  </span>
)

/** Every rule of an account by source, and the form to check access. */
export const PermissionList = ({ account }: { readonly account: Account }) => {
  const [asked, setAsked] = useState<Asked>()
  const known = useLoad(async (signal) => (await call('GET /api/admin/groups', { signal })).body.groups, [])
  const Rules = ({ rules }: { readonly rules: readonly string[] }) => (
    <ul class="rules tags">
      {rules.map((rule) => (
        <li key={rule}>
          <button
            type="button"
            class="link"
            aria-label={words.why.show(rule)}
            onClick={() => setAsked({ permission: rule.replace(/^-/, '') })}
          >
            <code>{rule}</code>
          </button>
        </li>
      ))}
    </ul>
  )
  return (
    <>
      <TryAs email={account.email} {...(asked !== undefined && { asked })} />
      <section class="card wide-card">
        <h2>{words.why.applies}</h2>
        <p class="quiet">{words.why.appliesLead}</p>
        <Loading of={known}>
          {(all) => {
            const sources = listSources(account, all)
            if (sources.length === 0) return <p>{words.why.nothing}</p>
            return sources.map(({ name, grant, rules }) => (
              <section key={grant?.id ?? name} class="source">
                <h3>
                  {name} {grant !== undefined && <Limits grant={grant} />}
                </h3>
                {rules === undefined || rules.length === 0 ? (
                  <p class="quiet">{rules === undefined ? words.why.noGroup : words.why.noRules}</p>
                ) : (
                  <Rules rules={rules} />
                )}
              </section>
            ))
          }}
        </Loading>
      </section>
    </>
  )
}
