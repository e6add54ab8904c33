import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Ids } from '../../kernel/ids.ts'
import type { EventBus } from '../../platform/events/event-bus.ts'
import type { Actor } from '../accounts/actor.ts'
import type { AccountStore } from '../accounts/store/account-store.ts'
import { refuseKick } from '../accounts/who-may-grant.ts'
import { createAuditEntry } from '../audit/audit-entry.ts'
import type { AuditLog } from '../audit/audit-log.ts'
import type { NodeReports } from '../node-reports/node-reports.ts'
import type { Permissions } from '../permissions/permissions.ts'
import { type Announcement, announcementEntry } from './announcement.ts'
import { comparePlayers, listOnlinePlayers, type OnlinePlayer } from './online-players.ts'
import type { PlayerOrder, PlayerOrders } from './player-orders.ts'

export type PlayersQuery = { readonly world?: string; readonly limit: number; readonly cursor?: string }
export type PlayersPage = { readonly players: readonly OnlinePlayer[]; readonly nextCursor?: string }

/** The players of all nodes, for any process. All methods throw AppError `unavailable`. */
export type PlayerService = {
  /** A page, sorted by display name. */
  listPlayers(query: PlayersQuery): Promise<PlayersPage>
  /**
   * Writes the audit entry, then sends the order to the player's node. Messages and teleports are grouped in the audit log. Throws AppError `not-found` if the player is not online, and
   * `conflict` if the target of a teleport is in another world. A kick throws `forbidden` `beyond-own-permissions` if the player has
   * more permissions than `actor`.
   */
  order(actor: Actor, playerId: string, order: PlayerOrder): Promise<void>
  /**
   * Writes the audit entry, then sends the announcement to all nodes, which show it to their players at that place. A node that
   * misses the event shows nothing.
   */
  announce(actor: Actor, announcement: Announcement): Promise<void>
}

export type PlayerServiceDeps = {
  readonly nodeReports: NodeReports
  readonly orders: PlayerOrders
  readonly events: Pick<EventBus, 'publish'>
  readonly audit: Pick<AuditLog, 'append' | 'appendGrouped'>
  readonly accountStore: Pick<AccountStore, 'findByPlayerId'>
  readonly permissions: Permissions
  readonly clock: Clock
  readonly ids: Pick<Ids, 'uuid'>
}

type PlayerCursor = Pick<OnlinePlayer, 'displayName' | 'playerId'>

const encodeCursor = ({ displayName, playerId }: PlayerCursor): string =>
  Buffer.from(JSON.stringify([displayName, playerId])).toString('base64url')

const decodeCursor = (cursor: string): PlayerCursor => {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (Array.isArray(parts) && parts.length === 2 && parts.every((part) => typeof part === 'string'))
      return { displayName: String(parts[0]), playerId: String(parts[1]) }
  } catch {
    // Reported below, like any other invalid text.
  }
  throw new AppError('invalid', 'bad-request', 'The cursor is not valid. Use the nextCursor of the previous page.', {
    errors: [{ pointer: '/cursor', message: 'must be the nextCursor of the previous page' }],
  })
}

const notOnline = (): AppError => new AppError('not-found', 'not-found', 'No player with that id is online.')

/** Milliseconds between retries. Nodes report an arrival within a tenth of a second, so an unlisted player may still appear. */
const arrivalWaits = [50, 100, 100]

/** Finds the players with these ids. Waits for players who may be arriving. */
const findOnline = async (nodeReports: NodeReports, ids: readonly string[]): Promise<readonly (OnlinePlayer | undefined)[]> => {
  const find = async () => {
    const online = await listOnlinePlayers(nodeReports)
    return ids.map((id) => online.find(({ playerId }) => playerId === id))
  }
  let players = await find()
  for (const ms of arrivalWaits) {
    if (!players.includes(undefined)) break
    await sleep(ms)
    players = await find()
  }
  return players
}

/** The position before and the order, enough to undo a teleport. The actor of the entry is the author of a message. */
const describe = ({ world, position }: OnlinePlayer, { kind, ...asked }: PlayerOrder) => {
  if (kind === 'teleport') return { before: { world, position }, after: { world, ...asked } }
  const { fromId: _, ...after } = { fromId: undefined, ...asked }
  return { before: null, after }
}

export const createPlayerService = ({
  nodeReports,
  orders,
  events,
  audit,
  accountStore,
  permissions,
  ...source
}: PlayerServiceDeps): PlayerService => ({
  listPlayers: async ({ world, limit, cursor }) => {
    const after = cursor === undefined ? undefined : decodeCursor(cursor)
    const found = (await listOnlinePlayers(nodeReports)).filter(
      (player) => (world === undefined || player.world === world) && (after === undefined || comparePlayers(player, after) > 0),
    )
    const players = found.slice(0, limit)
    const last = players.at(-1)
    return found.length > limit && last !== undefined ? { players, nextCursor: encodeCursor(last) } : { players }
  },
  announce: async (actor, announcement) => {
    await audit.append([createAuditEntry(source, actor, announcementEntry(announcement))])
    const { text, world, zone } = announcement
    await events.publish('announced', { text, ...(world !== undefined && { world }), ...(zone !== undefined && { zone }) })
  },
  order: async (actor, playerId, order) => {
    const targetId = order.kind === 'teleport' && 'playerId' in order.to ? order.to.playerId : undefined
    const [player, target] = await findOnline(nodeReports, targetId === undefined ? [playerId] : [playerId, targetId])
    if (player === undefined) throw notOnline()
    const account = order.kind === 'kick' ? await accountStore.findByPlayerId(playerId) : undefined
    if (account !== undefined) refuseKick(permissions, actor.rules, account, player.limited === true)
    if (targetId !== undefined) {
      if (target === undefined) throw new AppError('not-found', 'not-found', 'The player to go to is not online.')
      if (target.world !== player.world)
        throw new AppError('conflict', 'conflict', `"${target.displayName}" is in the world ${target.world}.`)
    }
    const entry = { action: `player.${order.kind}`, target: player.email, ...describe(player, order) }
    const audited = createAuditEntry(source, actor, entry)
    // A kick is rare, and an entry for each is easier to read.
    await (order.kind === 'kick' ? audit.append([audited]) : audit.appendGrouped(audited))
    const outcome = await orders.send(playerId, order)
    if (outcome === 'no-target') throw new AppError('conflict', 'conflict', 'The player to go to has left the world.')
    if (outcome === 'done') return
    const isOnline = (await listOnlinePlayers(nodeReports)).some((one) => one.playerId === playerId)
    if (!isOnline) throw notOnline()
    throw new AppError(
      'unavailable',
      'service-unavailable',
      'No node confirmed the order within 2 s. Check whether the player is online.',
    )
  },
})
