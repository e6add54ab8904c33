import { type Static, Type } from '@sinclair/typebox'
import { createParser } from '../../kernel/schema.ts'
import type { NodeReports } from '../node-reports/node-reports.ts'

const closed = { additionalProperties: false } as const

/** A connected player with their world and position. */
export const OnlinePlayer = Type.Object(
  {
    playerId: Type.String(),
    email: Type.String(),
    displayName: Type.String(),
    world: Type.String(),
    position: Type.Object(
      { x: Type.Number(), y: Type.Number(), z: Type.Number(), yaw: Type.Number(), pitch: Type.Number() },
      closed,
    ),
    node: Type.String({ description: 'The id of the real-time node.' }),
    since: Type.String({ format: 'date-time', description: 'When the player connected.' }),
    limited: Type.Optional(
      Type.Literal(true, {
        description: 'The sign-in is limited: it did not use the account’s password or identity provider.',
      }),
    ),
    pingMs: Type.Optional(Type.Integer({ minimum: 0, description: 'The last measured round-trip time.' })),
  },
  closed,
)
export type OnlinePlayer = Static<typeof OnlinePlayer>
/** A player as reported by the node. */
export type ReportedPlayer = Omit<OnlinePlayer, 'node'>

const parseReport = createParser(Type.Array(Type.Omit(OnlinePlayer, ['node'])))

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** The order of the list: by display name, then by id. */
export const comparePlayers = (
  one: Pick<OnlinePlayer, 'displayName' | 'playerId'>,
  other: Pick<OnlinePlayer, 'displayName' | 'playerId'>,
): number => compare(one.displayName, other.displayName) || compare(one.playerId, other.playerId)

export const tellPlayers = (reports: NodeReports, nodeId: string, players: readonly ReportedPlayer[]): Promise<void> =>
  reports.tell('players', nodeId, JSON.stringify(players))

/**
 * The players of all nodes as of a second ago, in order. A player who changed node is listed at the newer one. Throws AppError
 * `unavailable`.
 */
export const listOnlinePlayers = async (reports: Pick<NodeReports, 'list'>): Promise<readonly OnlinePlayer[]> => {
  const byId = new Map<string, OnlinePlayer>()
  for (const { nodeId: node, text } of await reports.list('players')) {
    const report = parseReport(parseJson(text))
    // Skips nodes of another version with a different format.
    if (!report.ok) continue
    for (const player of report.value)
      if ((byId.get(player.playerId)?.since ?? '') <= player.since) byId.set(player.playerId, { ...player, node })
  }
  return [...byId.values()].sort(comparePlayers)
}
