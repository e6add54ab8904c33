import { useState } from 'preact/hooks'
import type { Answer } from '../../sdk/admin.ts'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { FormDialog } from '../parts/dialog.tsx'
import { Field } from '../parts/field.tsx'
import { Named } from '../parts/named.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { PagedList } from '../parts/paged-list.tsx'
import { Time } from '../parts/time.tsx'
import { tell } from '../parts/toasts.tsx'
import { call } from '../state/api.ts'
import { linkTo } from '../state/route.ts'
import { mayDo } from '../state/session.ts'
import { words } from '../words.ts'

type Player = Answer<'GET /api/admin/players'>['body']['players'][number]

const refreshMs = 3000

const KickDialog = ({ player, close }: { readonly player: Player; readonly close: () => void }) => (
  <FormDialog
    title={<Named say={words.players.kickTitle} names={[player.displayName]} />}
    action={words.players.kick}
    isBad
    close={close}
    submit={async (fields) => {
      const reason = String(fields.get('reason')).trim()
      const params = { playerId: player.playerId }
      await call('POST /api/admin/players/{playerId}/kick', { params, body: { ...(reason !== '' && { reason }) } })
      tell(<Named say={words.players.kicked} names={[player.displayName]} />)
    }}
  >
    <Field label={words.players.reason}>
      <input name="reason" maxLength={200} autocomplete="off" />
    </Field>
  </FormDialog>
)

const MessageDialog = ({ player, close }: { readonly player: Player; readonly close: () => void }) => (
  <FormDialog
    title={<Named say={words.players.messageTitle} names={[player.displayName]} />}
    action={words.players.message}
    close={close}
    submit={async (fields) => {
      const params = { playerId: player.playerId }
      await call('POST /api/admin/players/{playerId}/message', { params, body: { text: String(fields.get('text')).trim() } })
      tell(<Named say={words.players.sent} names={[player.displayName]} />)
    }}
  >
    <Field label={words.players.text}>
      <input name="text" required maxLength={500} autocomplete="off" />
    </Field>
  </FormDialog>
)

type Open = { readonly player: Player; readonly dialog: typeof KickDialog }

const createColumns = (open: (what: Open) => void): readonly Column<Player>[] => [
  {
    head: words.players.name,
    cell: ({ displayName, email }) => (
      <bdi>{mayDo('admin.users.read') ? <a href={linkTo(['people', email])}>{displayName}</a> : displayName}</bdi>
    ),
  },
  { head: words.players.world, cell: ({ world }) => world },
  {
    head: words.players.place,
    cell: ({ position: { x, y, z } }) => [x, y, z].map(Math.floor).join(' '),
  },
  { head: words.players.since, cell: ({ since }) => <Time at={since} /> },
  ...(mayDo('admin.players.message') || mayDo('admin.players.kick')
    ? [
        {
          head: words.players.actions,
          cell: (player: Player) => (
            <span class="actions">
              {mayDo('admin.players.message') && (
                <button type="button" onClick={() => open({ player, dialog: MessageDialog })}>
                  {words.players.message}
                </button>
              )}
              {mayDo('admin.players.kick') && (
                <button type="button" class="bad" onClick={() => open({ player, dialog: KickDialog })}>
                  {words.players.kick}
                </button>
              )}
            </span>
          ),
        },
      ]
    : []),
]

/** All players in the game */
export const PlayersPage = () => {
  const [open, setOpen] = useState<Open>()
  const [turn, setTurn] = useState(0)
  const again = () => setTurn((last) => last + 1)
  const close = () => {
    setOpen(undefined)
    again()
  }
  return (
    <>
      <PageHead title={words.pages.players} />
      <PagedList<Player>
        keys={[]}
        turn={turn}
        everyMs={refreshMs}
        ask={async (query, signal) => {
          const { players, nextCursor } = (await call('GET /api/admin/players', { query, signal })).body
          return { items: players, nextCursor }
        }}
      >
        {(all) => (
          <DataTable
            columns={createColumns(setOpen)}
            rows={all}
            keyOf={({ playerId }) => playerId}
            empty={words.players.nobody}
          />
        )}
      </PagedList>
      {open !== undefined && <open.dialog player={open.player} close={close} />}
    </>
  )
}
