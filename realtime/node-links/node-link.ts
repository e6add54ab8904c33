import { findOnlinePlayer } from '../../shared/domain/explain/question.ts'
import type { NodeReports } from '../../shared/domain/node-reports/node-reports.ts'
import { listOnlinePlayers } from '../../shared/domain/players/online-players.ts'
import { createPlayerOrders, type PlayerOrder, type PlayerOutcome } from '../../shared/domain/players/player-orders.ts'
import type { Presence } from '../../shared/domain/presence/presence.ts'
import type { Whereabouts } from '../../shared/domain/presence/whereabouts.ts'
import type { Clock } from '../../shared/kernel/clock.ts'
import type { Ids } from '../../shared/kernel/ids.ts'
import type { Log } from '../../shared/kernel/log.ts'
import type { EventBus } from '../../shared/platform/events/event-bus.ts'
import type { Store } from '../../shared/platform/storage/store.ts'
import type { ChatLine } from './chat-line.ts'
import { type ChatLink, createChatLink, toPrintable } from './chat-link.ts'
import { createDisplacement, type Displacement } from './displacement.ts'
import { createKickLink } from './kick-link.ts'
import type { LocalPlayers } from './local-players.ts'
import { listOnOtherNodes, type RemotePlayers, rememberPlayers } from './remote-players.ts'
import { type PlayerReports, reportPlayers } from './report-players.ts'
import { createSwitchWatch } from './switch-watch.ts'

/** The maximum length of a name in an event. */
const nameCharactersMax = 64

/** Carries out orders of other processes for players of this node. Returns a function that stops it. */
const followOrders = async (
  events: EventBus,
  here: Pick<LocalPlayers, 'kick' | 'message' | 'teleport' | 'whisper'>,
): Promise<() => void> => {
  const obey = async (playerId: string, order: PlayerOrder): Promise<PlayerOutcome | undefined> => {
    if (order.kind === 'teleport') return here.teleport(playerId, order.to)
    if (order.kind === 'whisper') {
      const whispered = await here.whisper(playerId, order)
      return whispered === 'absent' ? undefined : whispered === 'told' ? 'done' : 'busy'
    }
    const isDone = order.kind === 'kick' ? await here.kick(playerId, order.reason) : await here.message(playerId, order)
    return isDone ? 'done' : undefined
  }
  return events.subscribe('player-order', async ({ id, playerId, order }) => {
    const outcome = await obey(playerId, order)
    if (outcome !== undefined) await events.publish('player-ordered', { id, playerId, outcome })
  })
}

/** What other nodes may do with this one. */
export type LinkedGame = {
  readonly here: LocalPlayers
  hear(lines: readonly ChatLine[]): void
}

/** Connects the games of many nodes: chat, commands and connections. Without Redis each node continues alone. */
export type NodeLink = Pick<ChatLink, 'tell'> &
  Pick<Displacement, 'enter' | 'leave'> & {
    readonly elsewhere: RemotePlayers
    /** Ends sessions of players who connected elsewhere, in case the event was lost. Never rejects. */
    checkDisplaced(here: LocalPlayers): Promise<void>
    /** Resolves when events arrive. */
    start(game: LinkedGame): Promise<void>
    close(): void
  }

type NodeLinkDeps = {
  readonly nodeId: string
  readonly store: Pick<Store, 'get'>
  readonly events: EventBus
  readonly whereabouts: Whereabouts
  /** Whether this node certainly runs its world. */
  readonly isHeld: () => boolean
  readonly presence: Presence
  readonly nodeReports: NodeReports
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
}

/** A link that is inactive until it is started. */
export const createNodeLink = (deps: NodeLinkDeps): NodeLink => {
  const { nodeId, events } = deps
  const chat = createChatLink(deps)
  const kicks = createKickLink(deps)
  const displacement = createDisplacement(deps)
  const switches = createSwitchWatch(deps)
  const listOnline = rememberPlayers(() => listOnlinePlayers(deps.nodeReports), deps.clock)
  const listPlayers = rememberPlayers(() => listOnOtherNodes(deps.presence, nodeId), deps.clock)
  const orders = createPlayerOrders(deps)
  const commandsSwitched = (playerId: string): void => void events.publish('commands-switched', { playerId, nodeId })
  const stops: (() => void)[] = []
  let reports: PlayerReports | undefined
  return {
    tell: chat.tell,
    enter: (playerId, isUnverified) => {
      displacement.enter(playerId, isUnverified)
      reports?.soon()
    },
    leave: (playerId) => {
      displacement.leave(playerId)
      reports?.soon()
    },
    checkDisplaced: displacement.check,
    elsewhere: {
      listPlayers,
      whereIs: async (playerId) => {
        const player = await findOnlinePlayer(listOnline, playerId)
        return player?.node === nodeId ? undefined : player
      },
      kick: kicks.kick,
      commandsSwitched,
      whisper: async (playerId, line) => {
        const from = toPrintable(line.from).slice(0, nameCharactersMax)
        const outcome = await orders.send(playerId, { kind: 'whisper', ...line, from })
        return outcome === 'done' ? 'told' : outcome === 'busy' ? 'busy' : 'absent'
      },
      announce: (text) => void events.publish('announced', { text, nodeId }),
    },
    start: async ({ here, hear }) => {
      // Polling starts immediately, because events may not arrive.
      reports = reportPlayers(deps, here.listConnected)
      stops.push(displacement.start(here), switches.start(here), reports.stop)
      stops.push(
        await events.subscribe('player-connected', displacement.hear),
        await chat.start(hear),
        await kicks.start(here.kick),
        await followOrders(events, here),
        await events.subscribe('announced', (event) => {
          if (event.nodeId !== nodeId) here.announce(event)
        }),
        await events.subscribe('commands-switched', (event) => {
          if (event.nodeId !== nodeId) void here.readCommands(event.playerId)
        }),
      )
    },
    close: () => {
      for (const stop of stops.splice(0)) stop()
      reports = undefined
    },
  }
}
