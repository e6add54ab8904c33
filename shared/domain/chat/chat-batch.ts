import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../kernel/closed-object.ts'
import { createCollection } from '../../platform/storage/store.ts'

/** The time that a batch covers. Slots do not overlap, so lines of several nodes can be merged slot by slot. */
const slotMs = 5_000

export const slotOf = (timeMs: number): number => Math.floor(timeMs / slotMs) * slotMs

const StoredLine = ClosedObject({
  /** Milliseconds since the start of the slot. */
  ms: Type.Integer({ minimum: 0, exclusiveMaximum: slotMs }),
  channel: Type.String(),
  from: Type.String(),
  text: Type.String(),
  by: Type.Optional(Type.String()),
})
export type StoredLine = Static<typeof StoredLine>

/** Lines of one node in one slot, oldest first. A busy slot has several batches. */
const ChatBatch = ClosedObject({ world: Type.String(), lines: Type.Array(StoredLine) })
export type ChatBatch = Static<typeof ChatBatch>

/** By `batchId`, so that ids sort by time. */
export const chatBatches = createCollection('chat', ChatBatch)

/** The beginning of all ids of a slot. */
export const slotPrefix = (slot: number): string => `${new Date(slot).toISOString()}/`

/** `count` numbers the batches of a node. */
export const batchId = (slot: number, nodeId: string, count: number): string =>
  `${slotPrefix(slot)}${nodeId}/${String(count).padStart(9, '0')}`

/** The slot of a batch. */
export const slotOfId = (id: string): number => Date.parse(id.slice(0, id.indexOf('/')))
