import { type Static, Type } from '@sinclair/typebox'
import { createParser } from '../../kernel/schema.ts'
import type { NodeReports } from '../reports/node-reports.ts'

const closed = { additionalProperties: false } as const

/** A player who is connected, and where. */
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
        description: 'The sign-in is limited: it did not use the password of the account, or its identity provider.',
      }),
    ),
    pingMs: Type.Optional(Type.Integer({ minimum: 0, description: 'How long the last sign of life took, there and back.' })),
  },
  closed,
)
export type OnlinePlayer = Static<typeof OnlinePlayer>
/** As the node itself tells it. */
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

/** Order of the list: by display name, those of one name by id. */
export const comparePlayers = (
  one: Pick<OnlinePlayer, 'displayName' | 'playerId'>,
  other: Pick<OnlinePlayer, 'displayName' | 'playerId'>,
): number => compare(one.displayName, other.displayName) || compare(one.playerId, other.playerId)

export const tellPlayers = (reports: NodeReports, nodeId: string, players: readonly ReportedPlayer[]): Promise<void> =>
  reports.tell('players', nodeId, JSON.stringify(players))

/** Players of all nodes as of a second ago, in order; one who changes node counts where they came last. Throws AppError `unavailable`. */
export const listOnlinePlayers = async (reports: Pick<NodeReports, 'list'>): Promise<readonly OnlinePlayer[]> => {
  const byId = new Map<string, OnlinePlayer>()
  for (const { nodeId: node, text } of await reports.list('players')) {
    const report = parseReport(parseJson(text))
    // A node of another version that tells it differently: its players are not known here.
    if (!report.ok) continue
    for (const player of report.value)
      if ((byId.get(player.playerId)?.since ?? '') <= player.since) byId.set(player.playerId, { ...player, node })
  }
  return [...byId.values()].sort(comparePlayers)
}
