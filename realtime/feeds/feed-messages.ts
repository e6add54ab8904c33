import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { MarkedZone } from '../../shared/domain/zones/list-zones.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import type { Fault } from '../../shared/kernel/errors.ts'
import { exceedsJsonTokens } from '../../shared/kernel/exceeds-json-tokens.ts'
import { createParser } from '../../shared/kernel/schema.ts'
import { createFrame } from '../protocol/web-socket-frame.ts'
import { exceedsJsonShape } from './exceeds-json-shape.ts'

/** The maximum number of blocks in one message. */
const feedEditsMax = 4096

/** The maximum size of a client message in bytes. 4,096 blocks with the longest names take 400 KiB. */
const feedMessageBytesMax = 524_288

/** The maximum size of a message other than an edit, in bytes. A fully escaped token takes 1,536. */
export const feedSmallBytesMax = 4096

/** The maximum size of a frame that is read. It is larger, so that the sender of a message that is too large gets an error. */
export const feedFrameBytesMax = 4 * feedMessageBytesMax

/** The schema of a message with this `type`. Its examples are in the AsyncAPI description. */
export const message = <const T extends string, P extends Record<string, TSchema>>(
  type: T,
  properties: P,
  options: { readonly examples?: readonly object[] } = {},
) => ClosedObject({ type: Type.Literal(type), ...properties }, options)

export const Seq = Type.Integer({ minimum: 0 })
const Ref = Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER })
export const Position = Type.Object({
  x: Type.Number(),
  y: Type.Number(),
  z: Type.Number(),
  yaw: Type.Number(),
  pitch: Type.Number(),
})

/** A block and its new `type`. `air` removes the block. */
export const FeedBlock = ClosedObject({
  x: Type.Integer(),
  y: Type.Integer(),
  z: Type.Integer(),
  type: Type.String({ minLength: 1, maxLength: 64 }),
})
export type FeedBlock = Static<typeof FeedBlock>

/** A changed block: its new `type`, and `was`, the type before. */
export const ChangedBlock = ClosedObject({
  ...FeedBlock.properties,
  was: Type.String({ description: 'The type of the block before the change.' }),
})
export type ChangedBlock = Static<typeof ChangedBlock>

/**
 * Messages to the feeds of a zone. `seq` rises by one with each message to all feeds. Messages to a new reader alone have the last
 * `seq`, or none.
 */
export const FeedEvent = Type.Union([
  message('zone', { zone: MarkedZone, seq: Seq, reset: Type.Optional(Type.Literal(true)) }),
  message(
    'blocks',
    { edits: Type.Array(ChangedBlock), by: Type.String(), seq: Seq },
    {
      examples: [
        {
          type: 'blocks',
          edits: [{ x: 3, y: 64, z: 9, type: 'stone', was: 'air' }],
          by: '3f0c7a52-6d0e-4f0a-9b61-2f6a1f1f7c11',
          seq: 1795194577056001,
        },
      ],
    },
  ),
  message('playerEntered', {
    playerId: Type.String(),
    displayName: Type.String(),
    position: Position,
    seq: Type.Optional(Seq),
  }),
  message('playerMoved', { playerId: Type.String(), position: Position, seq: Seq }),
  message('playerLeft', { playerId: Type.String(), seq: Seq }),
  message('deleted', { seq: Seq }),
])
export type FeedEvent = Static<typeof FeedEvent>

const Rejected = Type.Object({ index: Type.Integer({ minimum: 0 }), reason: Type.String() })
export type Rejected = Static<typeof Rejected>

/** Answers to one feed. They have no `seq`. */
export const FeedReply = Type.Union([
  message('result', {
    ref: Ref,
    ok: Type.Boolean(),
    /** The number of requested blocks that are durable. */
    applied: Type.Integer({ minimum: 0 }),
    rejected: Type.Array(Rejected),
    /** Why nothing was done, unless single blocks are the cause. */
    reason: Type.Optional(Type.String()),
  }),
  message('renewed', {
    expiresAt: Type.Optional(Type.String({ format: 'date-time', description: 'Absent for an API token that does not expire.' })),
  }),
  message('error', { code: Type.String(), message: Type.String(), ref: Type.Optional(Ref) }),
  message('heartbeat', {}),
])
export type FeedReply = Static<typeof FeedReply>
export type FeedResult = Extract<FeedReply, { type: 'result' }>

/**
 * Messages that a client may send. `edits` is a list of FeedBlock. The items are validated one by one, to stop at the first fault.
 */
export const FeedRequest = {
  edit: message('edit', {
    ref: Ref,
    edits: Type.Array(Type.Unknown(), { minItems: 1, maxItems: feedEditsMax }),
    partial: Type.Optional(Type.Boolean()),
  }),
  resume: message('resume', { since: Seq }),
  renew: message('renew', { token: Type.String({ minLength: 1, maxLength: 256 }) }),
} as const

export type FeedEdit = {
  readonly type: 'edit'
  readonly ref: number
  readonly edits: readonly FeedBlock[]
  readonly partial: boolean
}
export type FeedRequest = FeedEdit | Static<typeof FeedRequest.resume> | Static<typeof FeedRequest.renew>

/** A finished text frame for any number of feeds. */
export const encodeFeedMessage = (value: FeedEvent | FeedReply): Buffer => createFrame(Buffer.from(JSON.stringify(value)), 'text')

/** A parsed message, or its fault. `ref` is that of the edit, if it is readable. */
export type ParsedFeedMessage<R = FeedRequest> =
  | { readonly ok: true; readonly message: R }
  | { readonly ok: false; readonly code: FeedFault; readonly message: string; readonly ref?: number }

type FeedFault = 'binary-frame' | 'message-too-large' | 'invalid-json' | 'unknown-message' | 'invalid-message' | 'too-many-edits'

const parseEnvelope = createParser(FeedRequest.edit)
const parseBlock = createParser(FeedBlock)
const parseResume = createParser(FeedRequest.resume)
const parseRenew = createParser(FeedRequest.renew)

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Describes the first fault. */
export const describe = ([fault]: readonly Fault[], at = ''): string => {
  const where = `${at}${fault?.pointer ?? ''}`
  return `${where === '' ? 'The message' : where} ${fault?.message ?? 'is not valid'}.`
}

const refOf = ({ ref }: Readonly<Record<string, unknown>>): { ref?: number } =>
  Number.isSafeInteger(ref) ? { ref: Number(ref) } : {}

const readBlocks = (edits: readonly unknown[]): FeedBlock[] | string => {
  const blocks: FeedBlock[] = []
  for (const [index, edit] of edits.entries()) {
    const block = parseBlock(edit)
    if (!block.ok) return describe(block.faults, `/edits/${index}`)
    blocks.push(block.value)
  }
  return blocks
}

const readEdit = (value: Readonly<Record<string, unknown>>): ParsedFeedMessage => {
  const ref = refOf(value)
  if (Array.isArray(value.edits) && value.edits.length > feedEditsMax)
    return { ok: false, code: 'too-many-edits', message: `A message changes at most ${feedEditsMax} blocks.`, ...ref }
  const envelope = parseEnvelope(value)
  if (!envelope.ok) return { ok: false, code: 'invalid-message', message: describe(envelope.faults), ...ref }
  const blocks = readBlocks(envelope.value.edits)
  if (typeof blocks === 'string') return { ok: false, code: 'invalid-message', message: blocks, ...ref }
  const message: FeedEdit = { type: 'edit', ref: envelope.value.ref, edits: blocks, partial: envelope.value.partial === true }
  return { ok: true, message }
}

/** The maximum number of brackets, colons and commas: about nine for each block. */
const tokensMax = 40_000
/** An edit and each of its blocks have four keys. More are allowed, so that the validator can name the fault. */
const keysMax = 6
/** The message, its list and its blocks. */
const depthMax = 3

/** Returns why a text is not parsed, by size and structure. Messages of more than a few KiB must be edits. */
const findExcess = (text: string, bytes: number): string | undefined => {
  if (bytes <= feedSmallBytesMax) return undefined
  if (exceedsJsonTokens(text, tokensMax)) return `A message has at most ${tokensMax} brackets, colons and commas.`
  if (exceedsJsonShape(text, depthMax, keysMax)) return `Only edits may have more than ${feedSmallBytesMax} bytes.`
  return undefined
}

/** Returns undefined if the text is not JSON. */
export const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Parses a frame of a client. Never throws. */
export const parseFeedMessage = (data: Uint8Array, isBinary: boolean): ParsedFeedMessage => {
  if (isBinary) return { ok: false, code: 'binary-frame', message: 'A feed only accepts JSON in text frames.' }
  if (data.length > feedMessageBytesMax)
    return { ok: false, code: 'message-too-large', message: `A message has at most ${feedMessageBytesMax} bytes.` }
  const text = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('utf8')
  const excess = findExcess(text, data.length)
  if (excess !== undefined) return { ok: false, code: 'message-too-large', message: excess }
  const value = readJson(text)
  if (value === undefined) return { ok: false, code: 'invalid-json', message: 'The frame is not JSON.' }
  if (!isRecord(value)) return { ok: false, code: 'invalid-message', message: 'A message must be an object with a "type".' }
  if (value.type === 'edit') return readEdit(value)
  if (value.type !== 'resume' && value.type !== 'renew')
    return { ok: false, code: 'unknown-message', message: 'A client may send the types edit, resume and renew.' }
  if (data.length > feedSmallBytesMax)
    return { ok: false, code: 'message-too-large', message: `A ${value.type} has at most ${feedSmallBytesMax} bytes.` }
  const parsed = value.type === 'resume' ? parseResume(value) : parseRenew(value)
  if (parsed.ok) return { ok: true, message: parsed.value }
  return { ok: false, code: 'invalid-message', message: describe(parsed.faults) }
}
