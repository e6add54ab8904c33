import { useState } from 'preact/hooks'
import { Avatar } from '../parts/avatar.tsx'
import { Lazy } from '../parts/lazy.tsx'
import { Loading } from '../parts/loading.tsx'
import { Menu, MenuItem } from '../parts/menu.tsx'
import { findEmail } from '../people/find-person.ts'
import { call } from '../state/api.ts'
import { useEvery, useLoad } from '../state/load.ts'
import { linkTo } from '../state/route.ts'
import { mayDo } from '../state/session.ts'
import { words } from '../words.ts'
import { BanBadge, listBans } from './ban-badge.tsx'
import type { Player } from './player-dialogs.tsx'

const dialogs = {
  message: async () => (await import('./player-dialogs.tsx')).MessageDialog,
  teleport: async () => (await import('./player-dialogs.tsx')).TeleportDialog,
  kick: async () => (await import('./player-dialogs.tsx')).KickDialog,
} as const

/** Actions on a connected player, with their permissions. */
const orders = [
  { order: 'message', permission: 'admin.players.message', isBad: false },
  { order: 'teleport', permission: 'admin.players.teleport', isBad: false },
  { order: 'kick', permission: 'admin.players.kick', isBad: true },
] as const

const kinds = ['warning', 'mute', 'ban'] as const
type Kind = (typeof kinds)[number]

type Open =
  | { readonly order: keyof typeof dialogs; readonly player: Player }
  | { readonly kind: Kind; readonly email: string }
  | undefined

type Known = {
  readonly email: string
  readonly displayName: string
  readonly player: Player | undefined
  readonly bans: Awaited<ReturnType<typeof listBans>>
}

const playersMax = 200
/** A node reports a new player up to a second later, so the first answer may not have them. */
const refreshMs = 2000

type Person = {
  /** Undefined if only the name is known, as in chat and on the map. */
  readonly email: string | undefined
  readonly playerId?: string
  readonly displayName: string
}

/** Chat has only the name of its author, so the email may have to be found first. Throws if several accounts have the name. */
const ask = async ({ email: given, playerId, displayName }: Person, signal: AbortSignal): Promise<Known> => {
  const players = mayDo('admin.players.read')
    ? (await call('GET /api/admin/players', { query: { limit: playersMax }, signal })).body.players
    : []
  const email = given ?? players.find((one) => one.playerId === playerId)?.email ?? (await findEmail(displayName))
  return { email, displayName, player: players.find((one) => one.email === email), bans: await listBans(signal, email) }
}

/** The state of the person, and the actions on them. */
const Card = ({ of: person, show }: { readonly of: Person; readonly show: (open: Open) => void }) => {
  const { displayName } = person
  const known = useLoad((signal) => ask(person, signal), [person.email, person.playerId, displayName])
  useEvery(refreshMs, known.refresh)
  const email = person.email ?? known.value?.email
  const player = known.value?.player
  return (
    <>
      <div class="name-card">
        <Avatar name={displayName} isOnline={player !== undefined} />
        <span>
          <strong>
            <bdi>{displayName}</bdi>
          </strong>
          <br />
          <small class="quiet">
            <bdi>{email}</bdi>
          </small>
          <Loading of={known}>
            {({ bans }) => (
              <p>
                <span class={player === undefined ? 'badge' : 'badge good'}>
                  {player === undefined ? words.players.offline : words.people.onlineIn(player.world)}
                </span>
                <BanBadge ban={bans.get(email ?? '')} />
              </p>
            )}
          </Loading>
        </span>
      </div>
      {email !== undefined && mayDo('admin.users.read') && (
        <MenuItem icon="account" href={linkTo(['people', email])}>
          {words.players.openAccount}
        </MenuItem>
      )}
      {email !== undefined && mayDo('admin.audit.read') && (
        <MenuItem icon="audit" href={linkTo(['people', email], { tab: 'history' })}>
          {words.people.tabs.history}
        </MenuItem>
      )}
      {mayDo('admin.sanctions.read') && (
        <MenuItem
          icon="console"
          href={linkTo(['moderation', 'chat'], { player: person.playerId ?? player?.playerId ?? email ?? displayName })}
        >
          {words.chatLog.of}
        </MenuItem>
      )}
      {player !== undefined && mayDo('admin.worlds.read') && (
        <MenuItem
          icon="map"
          href={linkTo(['map'], {
            world: player.world,
            x: String(Math.floor(player.position.x)),
            z: String(Math.floor(player.position.z)),
          })}
        >
          {words.players.showOnMap}
        </MenuItem>
      )}
      {player !== undefined &&
        orders
          .filter(({ permission }) => mayDo(permission))
          .map(({ order, isBad }) => (
            <MenuItem key={order} isBad={isBad} act={() => show({ order, player })}>
              {words.players[order]}
            </MenuItem>
          ))}
      {email !== undefined &&
        mayDo('admin.sanctions.write') &&
        kinds.map((kind) => (
          <MenuItem key={kind} isBad={kind === 'ban'} act={() => show({ kind, email })}>
            {words.sanctions.act[kind]}
          </MenuItem>
        ))}
    </>
  )
}

/** A name, or a mark on the map, that opens a card with the state of the person and all actions on them. */
export const NameCard = ({
  isMark = false,
  done = () => undefined,
  ...person
}: Person & {
  /** A mark is open when it appears. */
  readonly isMark?: boolean
  /** Called after an action. */
  readonly done?: () => void
}) => {
  const { displayName } = person
  const [open, setOpen] = useState<Open>()
  const close = () => {
    setOpen(undefined)
    done()
  }
  return (
    <>
      <Menu
        label={words.players.cardOf(displayName)}
        class={isMark ? 'mark' : 'name'}
        hasText={!isMark}
        startsOpen={isMark}
        face={isMark ? '' : <bdi>{displayName}</bdi>}
      >
        <Card of={person} show={setOpen} />
      </Menu>
      {open !== undefined && 'order' in open && (
        <Lazy name={open.order} of={dialogs[open.order]} props={{ player: open.player, close }} isQuiet />
      )}
      {open !== undefined && 'kind' in open && (
        <Lazy
          name={open.kind}
          of={async () => (await import('./impose-dialog.tsx')).ImposeDialog}
          props={{ email: open.email, kind: open.kind, close }}
          isQuiet
        />
      )}
    </>
  )
}
