import { Type } from '@sinclair/typebox'
import { createParser } from '../../kernel/schema.ts'
import { type NodeFacts, nodeStates } from './presence.ts'

const Facts = Type.Object({
  world: Type.Optional(Type.String()),
  fence: Type.Integer({ minimum: 0 }),
  state: Type.Union(nodeStates.map((state) => Type.Literal(state))),
  url: Type.String(),
  internalUrl: Type.String(),
  maxSessions: Type.Integer({ minimum: 0 }),
  startedAt: Type.Number(),
  version: Type.String(),
})

/** Allows the keys of newer versions. */
const Record = Type.Object({
  revision: Type.Integer(),
  connected: Type.Integer({ minimum: 0 }),
  facts: Type.Optional(Facts),
})

/** A node's description of itself. `revision` differs each time, so that the node notices if Redis lost the last one. */
type NodeRecord = { readonly revision: number; readonly connected: number; readonly facts: NodeFacts | undefined }

const parseRecord = createParser(Record)

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const formatNodeRecord = (record: NodeRecord): string => JSON.stringify(record)

/** Returns no players and no facts if the text is invalid. */
export const parseNodeRecord = (text: string): Pick<NodeRecord, 'connected' | 'facts'> => {
  const record = parseRecord(parseJson(text))
  if (!record.ok) return { connected: 0, facts: undefined }
  const { connected, facts } = record.value
  if (facts === undefined) return { connected, facts }
  const { world, fence, state, url, internalUrl, maxSessions, startedAt, version } = facts
  return { connected, facts: { world, fence, state, url, internalUrl, maxSessions, startedAt, version } }
}
