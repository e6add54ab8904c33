import { useState } from 'preact/hooks'
import { EmptyState } from '../parts/empty-state.tsx'
import { Loading } from '../parts/loading.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { call } from '../state/api.ts'
import { useLoad } from '../state/load.ts'
import { may, mayDo } from '../state/session.ts'
import { words } from '../words.ts'
import { CreateToken } from './create-token.tsx'
import { TokenList } from './token-list.tsx'

/** The tokens of all accounts, or those of `email`, for administrators. */
export const TokensOfAccounts = ({
  email,
  turn = 0,
  changed = () => undefined,
}: {
  readonly email?: string
  /** A new number reloads the list. */
  readonly turn?: number
  /** Called after a token is deleted here. */
  readonly changed?: () => void
}) => {
  const query = email === undefined ? {} : { email }
  const listed = useLoad(async (signal) => (await call('GET /api/admin/tokens', { query, signal })).body.tokens, [email, turn])
  const remove = (id: string) => call('DELETE /api/admin/tokens/{id}', { params: { id } })
  return (
    <section class="card wide-card">
      <h2>{email === undefined ? words.tokens.all : words.pages.tokens}</h2>
      <Loading of={listed}>
        {(tokens) => (
          <TokenList
            tokens={tokens}
            hasOwners={email === undefined}
            empty={words.tokens.noneOfAccounts}
            remove={mayDo('admin.tokens.write') ? remove : undefined}
            changed={() => {
              listed.reload()
              changed()
            }}
          />
        )}
      </Loading>
    </section>
  )
}

/** The API tokens of the current user, and those of all accounts for administrators. */
export const TokensPage = () => {
  const [isCreating, setCreating] = useState(false)
  const [turn, setTurn] = useState(0)
  const changed = () => setTurn((last) => last + 1)
  // The server refuses them too. A form that cannot be sent is worse than none.
  const isVerified = may.value?.verified === true
  const own = useLoad(
    async (signal) => (isVerified ? (await call('GET /auth/tokens', { signal })).body.tokens : []),
    [turn, isVerified],
  )
  return (
    <>
      <PageHead title={words.pages.tokens}>
        {isVerified && (
          <button type="button" class="main" onClick={() => setCreating(true)}>
            {words.tokens.create}
          </button>
        )}
      </PageHead>
      <div class="cards">
        <section class="card wide-card">
          <h2>{words.tokens.own}</h2>
          <p class="quiet">{words.tokens.lead}</p>
          {isVerified ? (
            <Loading of={own}>
              {(tokens) => (
                <TokenList
                  tokens={tokens}
                  empty={<EmptyState icon="tokens" text={words.tokens.none} />}
                  remove={(id) => call('DELETE /auth/tokens/{id}', { params: { id } })}
                  changed={changed}
                />
              )}
            </Loading>
          ) : (
            <p class="box box-warn">{words.tokens.needsPassword}</p>
          )}
        </section>
        {mayDo('admin.tokens.read') && <TokensOfAccounts turn={turn} changed={changed} />}
      </div>
      {isCreating && <CreateToken close={() => setCreating(false)} changed={changed} />}
    </>
  )
}
