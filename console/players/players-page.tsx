import { useState } from 'preact/hooks'
import type { Answer } from '../../sdk/admin.ts'
import { NameCard } from '../moderation/name-card.tsx'
import { KickDialog, MessageDialog } from '../moderation/player-dialogs.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { FilterChips } from '../parts/filter-chips.tsx'
import { MenuItem } from '../parts/menu.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { PagedList } from '../parts/paged-list.tsx'
import { Time } from '../parts/time.tsx'
import { call } from '../state/api.ts'
import { useDeferred } from '../state/deferred.ts'
import { route } from '../state/route.ts'
import { mayDo, serverUrl } from '../state/session.ts'
import { words } from '../words.ts'

type Player = Answer<'GET /api/admin/players'>['body']['players'][number]

const refreshMs = 3000

type Open = { readonly player: Player; readonly dialog: typeof KickDialog }

const positionOf = ({ position: { x, y, z } }: Player): string => [x, y, z].map(Math.floor).join(' ')

const createColumns = (done: () => void): readonly Column<Player>[] => [
  {
    head: words.players.name,
    sort: ({ displayName }) => displayName,
    text: ({ displayName }) => displayName,
    cell: ({ displayName, email }) => <NameCard email={email} displayName={displayName} done={done} />,
  },
  { head: words.players.world, sort: ({ world }) => world, text: ({ world }) => world, cell: ({ world }) => world },
  { head: words.players.place, text: positionOf, cell: positionOf },
  { head: words.players.since, sort: ({ since }) => since, text: ({ since }) => since, cell: ({ since }) => <Time at={since} /> },
  {
    head: words.players.ping,
    isNumber: true,
    sort: ({ pingMs }) => pingMs ?? '',
    text: ({ pingMs }) => String(pingMs ?? ''),
    cell: ({ pingMs }) => (pingMs === undefined ? '–' : words.players.ofMs(pingMs)),
  },
]

/** The items of the menu of a player. */
const createMenu = (open: (what: Open) => void) =>
  mayDo('admin.players.message') || mayDo('admin.players.kick')
    ? (player: Player) => (
        <>
          {mayDo('admin.players.message') && (
            <MenuItem act={() => open({ player, dialog: MessageDialog })}>{words.players.messageOpen}</MenuItem>
          )}
          {mayDo('admin.players.kick') && (
            <MenuItem isBad act={() => open({ player, dialog: KickDialog })}>
              {words.players.kickOpen}
            </MenuItem>
          )}
        </>
      )
    : undefined

/** The worlds of the players with the number of players, by name. */
const countWorlds = (players: readonly Player[], chosen: ReadonlySet<string>) => {
  const counts = new Map([...chosen].map((world) => [world, 0]))
  for (const { world } of players) counts.set(world, (counts.get(world) ?? 0) + 1)
  return [...counts].sort(([one], [other]) => one.localeCompare(other)).map(([name, count]) => ({ name, label: name, count }))
}

/** All players in the game */
export const PlayersPage = () => {
  const [open, setOpen] = useState<Open>()
  const [turn, setTurn] = useState(0)
  const [text, setText] = useState(() => route.peek().query.get('q') ?? '')
  const wanted = useDeferred(text.trim().toLowerCase())
  const again = () => setTurn((last) => last + 1)
  /** Empty for all worlds. */
  const [worlds, setWorlds] = useState<ReadonlySet<string>>(new Set())
  const close = () => {
    setOpen(undefined)
    again()
  }
  return (
    <>
      <PageHead title={words.pages.players} />
      <search class="toolbar">
        <input
          type="search"
          aria-label={words.players.find}
          placeholder={words.players.find}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </search>
      <PagedList<Player>
        keys={[]}
        turn={turn}
        everyMs={refreshMs}
        wantsAll={wanted !== '' || worlds.size > 0}
        ask={async (query, signal) => {
          const { players, nextCursor } = (await call('GET /api/admin/players', { query, signal })).body
          return { items: players, nextCursor }
        }}
      >
        {(all, { loadAll, isWhole }) => {
          const chips = countWorlds(all, worlds)
          const shown = all.filter(
            ({ displayName, email, world }) =>
              `${displayName} ${email}`.toLowerCase().includes(wanted) && (worlds.size === 0 || worlds.has(world)),
          )
          const menu = createMenu(setOpen)
          return (
            <>
              {chips.length > 1 && (
                <div class="toolbar">
                  <FilterChips label={words.players.inWorlds} chips={chips} on={worlds} change={setWorlds} />
                </div>
              )}
              <DataTable
                columns={createColumns(again)}
                rows={shown}
                keyOf={({ playerId }) => playerId}
                {...(menu !== undefined && { menu })}
                menuLabel={({ displayName }) => words.players.moreFor(displayName)}
                sorted={loadAll}
                counted={(count) => words.players.counted(count, isWhole)}
                csvName="online"
                empty={
                  all.length > 0 ? (
                    words.players.noneMatch
                  ) : (
                    <EmptyState icon="players" text={words.players.nobody}>
                      <a class="button" href={`${serverUrl}/play`}>
                        {words.play}
                      </a>
                    </EmptyState>
                  )
                }
              />
            </>
          )
        }}
      </PagedList>
      {open !== undefined && <open.dialog player={open.player} close={close} />}
    </>
  )
}
