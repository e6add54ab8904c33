import type { OnlinePlayer } from '../../shared/domain/players/online-players.ts'
import type { Presence } from '../../shared/domain/presence/presence.ts'
import type { Clock } from '../../shared/kernel/clock.ts'

/** How long an answer is reused, in milliseconds. Nodes report their players once a second. */
const freshMs = 1_000

/** A player who is connected to another node. */
export type PlayerElsewhere = {
  readonly playerId: string
  readonly displayName: string
  /** The world of the player. Undefined if the node has not reported it yet. */
  readonly world: string | undefined
}

/** A private line from one player to another. */
export type Whisper = { readonly fromId: string; readonly from: string; readonly text: string }

/** The result of a whisper. `busy`: the player gets too many whispers at the moment. */
export type Whispered = 'told' | 'absent' | 'busy'

/** The players of all other nodes. */
export type RemotePlayers = {
  /**
   * Sorted by display name, at most about two seconds old. The nodes are queried at most once a second. Throws AppError
   * `unavailable`.
   */
  listPlayers(): Promise<readonly PlayerElsewhere[]>
  /** The last reported position of a player. Undefined if the player is not connected or Redis is unavailable. */
  whereIs(playerId: string): Promise<Pick<OnlinePlayer, 'world' | 'position' | 'limited'> | undefined>
  /** Ends the session of a player on another node. False if no node confirmed it within two seconds. */
  kick(playerId: string, reason: string): Promise<boolean>
  /** The answer of the player's node within two seconds. It does not reveal whether the player ignores the sender. */
  whisper(playerId: string, line: Whisper): Promise<Whispered>
  /** Shows a notice to all players there. */
  announce(text: string): void
  /** The switched-off commands of a player changed in the store. The node of the player reads them again. */
  commandsSwitched(playerId: string): void
}

/** The players on nodes other than `nodeId`, by display name. */
export const listOnOtherNodes = async (
  presence: Pick<Presence, 'listNodes' | 'listPlayers'>,
  nodeId: string,
): Promise<readonly PlayerElsewhere[]> => {
  const [nodes, players] = await Promise.all([presence.listNodes(), presence.listPlayers()])
  const worlds = new Map(nodes.map((node) => [node.nodeId, node.world]))
  return players
    .filter((player) => player.nodeId !== nodeId)
    .map(({ playerId, displayName, nodeId: where }) => ({ playerId, displayName, world: worlds.get(where) }))
}

/** Caches the result of `list` for one second. A failure is not cached. */
export const rememberPlayers = <Player>(
  list: () => Promise<readonly Player[]>,
  clock: Pick<Clock, 'monotonic'>,
): (() => Promise<readonly Player[]>) => {
  let answer: Promise<readonly Player[]> | undefined
  let untilMs = Number.POSITIVE_INFINITY
  const ask = async (): Promise<readonly Player[]> => {
    try {
      const players = await list()
      untilMs = clock.monotonic() + freshMs
      return players
    } catch (error) {
      answer = undefined
      throw error
    }
  }
  return () => {
    if (answer === undefined || clock.monotonic() >= untilMs) {
      untilMs = Number.POSITIVE_INFINITY
      answer = ask()
    }
    return answer
  }
}
