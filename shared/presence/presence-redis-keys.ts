/** Where presence lies in Redis; the two keys of a node hash to one slot of a cluster. */
export type PresenceKeys = {
  /** A hash: by node, what it said of itself last. */
  readonly nodes: string
  /** Its record, as `formatNodeRecord` makes it. */
  record(nodeId: string): string
  /** A set: the ids of its players. */
  players(nodeId: string): string
}

export const createPresenceKeys = (prefix: string): PresenceKeys => ({
  nodes: `${prefix}presence:nodes`,
  record: (nodeId) => `${prefix}presence:{${nodeId}}:node`,
  players: (nodeId) => `${prefix}presence:{${nodeId}}:players`,
})

/** What a node says of itself; `revision` differs each time, so that it notices when Redis forgot what came last. */
type NodeRecord = { readonly revision: number; readonly connected: number }

export const formatNodeRecord = ({ revision, connected }: NodeRecord): string => JSON.stringify({ revision, connected })

/** Without players where the text is none of ours. */
export const parseNodeRecord = (text: string): Pick<NodeRecord, 'connected'> => {
  const connected = Number(/"connected":(\d{1,9})\b/.exec(text)?.[1] ?? 0)
  return { connected }
}
