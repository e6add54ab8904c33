import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { FormDialog } from '../parts/dialog.tsx'
import { Named } from '../parts/named.tsx'
import { Time } from '../parts/time.tsx'
import { tell } from '../parts/toasts.tsx'
import { linkTo } from '../state/route.ts'
import { mayDo } from '../state/session.ts'
import { words } from '../words.ts'

export type Token = {
  readonly id: string
  readonly name: string
  readonly permissions: readonly string[]
  readonly createdAt: string
  readonly expiresAt?: string
  readonly lastUsedAt?: string
  /** The owner, in lists of several accounts. */
  readonly email?: string
}

const isExpired = ({ expiresAt }: Token): boolean => expiresAt !== undefined && Date.parse(expiresAt) <= Date.now()

const Expiry = ({ of: token }: { readonly of: Token }) => {
  if (token.expiresAt === undefined) return <>{words.tokens.never}</>
  return (
    <>
      <Time at={token.expiresAt} /> {isExpired(token) && <span class="badge bad">{words.tokens.expired}</span>}
    </>
  )
}

const Owner = ({ email }: { readonly email: string | undefined }) => {
  if (email === undefined) return <span class="quiet">{words.tokens.ownerGone}</span>
  return <bdi>{mayDo('admin.users.read') ? <a href={linkTo(['people', email])}>{email}</a> : email}</bdi>
}

const createColumns = (hasOwners: boolean, remove: ((token: Token) => void) | undefined): readonly Column<Token>[] => [
  {
    head: words.tokens.name,
    sort: ({ name }) => name,
    text: ({ name }) => name,
    cell: ({ name }) => <bdi>{name}</bdi>,
    isLong: true,
  },
  ...(hasOwners
    ? [
        {
          head: words.tokens.owner,
          sort: ({ email = '' }: Token) => email,
          text: ({ email = '' }: Token) => email,
          cell: ({ email }: Token) => <Owner email={email} />,
          isLong: true,
        },
      ]
    : []),
  {
    head: words.tokens.scope,
    text: ({ permissions }) => permissions.join(' '),
    cell: ({ permissions }) => <code>{permissions.join(' ')}</code>,
    isLong: true,
  },
  // With the owner there is no room for it.
  ...(hasOwners
    ? []
    : [
        {
          head: words.tokens.created,
          sort: ({ createdAt }: Token) => createdAt,
          text: ({ createdAt }: Token) => createdAt,
          cell: ({ createdAt }: Token) => <Time at={createdAt} />,
        },
      ]),
  {
    head: words.tokens.expires,
    sort: ({ expiresAt = '' }) => expiresAt,
    text: ({ expiresAt = '' }) => expiresAt,
    cell: (token) => <Expiry of={token} />,
  },
  {
    head: words.tokens.lastUsed,
    sort: ({ lastUsedAt = '' }) => lastUsedAt,
    text: ({ lastUsedAt = '' }) => lastUsedAt,
    cell: ({ lastUsedAt }) =>
      lastUsedAt === undefined ? <span class="quiet">{words.tokens.neverUsed}</span> : <Time at={lastUsedAt} />,
  },
  ...(remove === undefined
    ? []
    : [
        {
          head: words.players.actions,
          cell: (token: Token) => (
            <button type="button" aria-label={words.tokens.deleteNamed(token.name)} onClick={() => remove(token)}>
              {words.tokens.delete}
            </button>
          ),
        },
      ]),
]

type Props = {
  readonly tokens: readonly Token[]
  /** Whether the list has tokens of several accounts. */
  readonly hasOwners?: boolean
  readonly empty: ComponentChildren
  /** Deletes a token. Absent if the user is not allowed to. */
  readonly remove?: ((id: string) => Promise<unknown>) | undefined
  /** Called after a token is deleted. */
  readonly changed: () => void
}

/** API tokens without their secrets, with a confirmation before one is deleted. */
export const TokenList = ({ tokens, hasOwners = false, empty, remove, changed }: Props) => {
  const [removed, setRemoved] = useState<Token>()
  return (
    <>
      <DataTable
        columns={createColumns(hasOwners, remove && setRemoved)}
        rows={tokens}
        keyOf={({ id }) => id}
        counted={words.tokens.counted}
        csvName="api-tokens"
        empty={empty}
      />
      {removed !== undefined && remove !== undefined && (
        <FormDialog
          title={<Named say={words.tokens.deleteTitle} names={[removed.name]} />}
          action={words.tokens.delete}
          isBad
          close={() => setRemoved(undefined)}
          done={() => {
            setRemoved(undefined)
            changed()
          }}
          submit={async () => {
            await remove(removed.id)
            tell(<Named say={words.tokens.deleted} names={[removed.name]} />)
          }}
        >
          <p>{words.tokens.deleteLead}</p>
        </FormDialog>
      )}
    </>
  )
}
