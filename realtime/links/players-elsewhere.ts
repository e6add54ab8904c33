import type { OnlinePlayer } from '../../shared/domain/players/online-players.ts'
import type { Presence } from '../../shared/domain/presence/presence.ts'
import type { Clock } from '../../shared/kernel/clock.ts'

/** For how long an answer serves, in milliseconds: nodes say once a second who is connected. */
const freshMs = 1_000

/** A player who is connected to another node. */
export type PlayerElsewhere = {
  readonly playerId: string
  readonly displayName: string
  /** The world in which they are; undefined for a node that did not say so yet. */
  readonly world: string | undefined
}

/** A line from one player to another. */
export type Whisper = { readonly fromId: string; readonly from: string; readonly text: string }

/** What became of it: `busy` where a player is written to too much at this moment. */
export type Whispered = 'told' | 'absent' | 'busy'

/** The players of all other nodes. */
export type PlayersElsewhere = {
  /** By display name, as of a second or two ago; however many ask, the nodes are asked once a second. Throws AppError `unavailable`. */
  listPlayers(): Promise<readonly PlayerElsewhere[]>
  /** Where a player stands, as their node told last; undefined for who is on none, and with Redis away. */
  whereIs(playerId: string): Promise<Pick<OnlinePlayer, 'world' | 'position' | 'limited'> | undefined>
  /** Ends the session of a player on the node that has it; false where none has said so within two seconds. */
  kick(playerId: string, reason: string): Promise<boolean>
  /** What the node of the player says within two seconds. Whether they ignore who writes is not told. */
  whisper(playerId: string, line: Whisper): Promise<Whispered>
  /** Shows everybody there a notice. */
  announce(text: string): void
  /** Commands of a player were switched on or off in their stored state: the node that has them reads it. */
  commandsSwitched(playerId: string): void
}

/** Who is connected to nodes other than `nodeId`, by display name. */
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

/** `list` again for whoever asks within a second of the last answer; a failure serves nobody but those who waited for it. */
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
