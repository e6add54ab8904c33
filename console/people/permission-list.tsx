import { useState } from 'preact/hooks'
import { Loading } from '../parts/loading.tsx'
import { call } from '../state/api.ts'
import { useLoad } from '../state/load.ts'
import { words } from '../words.ts'
import type { Account } from './account-dialogs.tsx'
import { type Asked, TryAs } from './try-as.tsx'

/** What the groups of an account give, each with why; and the question whether it may do anything else. */
export const PermissionList = ({ account: { email, groups, grants = [] } }: { readonly account: Account }) => {
  const [asked, setAsked] = useState<Asked>()
  const known = useLoad(async (signal) => (await call('GET /api/admin/groups', { signal })).body.groups, [])
  return (
    <>
      <section class="card wide-card">
        <h2>{words.why.ofGroups}</h2>
        <Loading of={known}>
          {(all) => {
            const rules = all.filter(({ name }) => groups.includes(name)).flatMap(({ effective }) => effective)
            const given = grants.flatMap(({ permission }) => permission ?? [])
            const names = [...new Set([...rules, ...given].map((rule) => rule.replace(/^-/, '')))].sort()
            return (
              <ul class="rules tags">
                {names.map((name) => (
                  <li key={name}>
                    <button
                      type="button"
                      class="link"
                      aria-label={words.why.show(name)}
                      onClick={() => setAsked({ permission: name })}
                    >
                      <code>{name}</code>
                    </button>
                  </li>
                ))}
              </ul>
            )
          }}
        </Loading>
      </section>
      <TryAs email={email} {...(asked !== undefined && { asked })} />
    </>
  )
}
