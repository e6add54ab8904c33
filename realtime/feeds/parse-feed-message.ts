import type { Fault } from '../../shared/kernel/errors.ts'
import { exceedsJsonTokens } from '../../shared/kernel/exceeds-json-tokens.ts'
import { createParser } from '../../shared/kernel/schema.ts'
import { FeedBlock, type FeedEdit, FeedRequest, feedEditsMax, feedMessageBytesMax } from './feed-messages.ts'

/** What a client's frame says, or why it says nothing; `ref` is of the edit that is meant, where it can be read. */
export type ParsedFeedMessage =
  | { readonly ok: true; readonly message: FeedRequest }
  | { readonly ok: false; readonly code: FeedFault; readonly message: string; readonly ref?: number }

export type FeedFault =
  | 'binary-frame'
  | 'message-too-large'
  | 'invalid-json'
  | 'unknown-message'
  | 'invalid-message'
  | 'too-many-edits'

const parseEnvelope = createParser(FeedRequest.edit)
const parseBlock = createParser(FeedBlock)
const parseResume = createParser(FeedRequest.resume)
const parseRenew = createParser(FeedRequest.renew)

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const describe = ([fault]: readonly Fault[], at = ''): string => {
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
    return { ok: false, code: 'too-many-edits', message: `One message changes up to ${feedEditsMax} blocks.`, ...ref }
  const envelope = parseEnvelope(value)
  if (!envelope.ok) return { ok: false, code: 'invalid-message', message: describe(envelope.faults), ...ref }
  const blocks = readBlocks(envelope.value.edits)
  if (typeof blocks === 'string') return { ok: false, code: 'invalid-message', message: blocks, ...ref }
  const message: FeedEdit = { type: 'edit', ref: envelope.value.ref, edits: blocks, partial: envelope.value.partial === true }
  return { ok: true, message }
}

/** Brackets, colons and commas of a message: nine for each block that it may change, and some. */
const tokensMax = 40_000

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Reads one frame of a client; never throws, whatever it holds. */
export const parseFeedMessage = (data: Uint8Array, isBinary: boolean): ParsedFeedMessage => {
  if (isBinary) return { ok: false, code: 'binary-frame', message: 'A feed speaks JSON in text frames.' }
  if (data.length > feedMessageBytesMax)
    return { ok: false, code: 'message-too-large', message: `A message has up to ${feedMessageBytesMax} bytes.` }
  const text = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('utf8')
  if (exceedsJsonTokens(text, tokensMax))
    return { ok: false, code: 'message-too-large', message: `A message has up to ${tokensMax} brackets, colons and commas.` }
  const value = readJson(text)
  if (value === undefined) return { ok: false, code: 'invalid-json', message: 'The frame is not JSON.' }
  if (!isRecord(value)) return { ok: false, code: 'invalid-message', message: 'A message is an object with a "type".' }
  if (value.type === 'edit') return readEdit(value)
  if (value.type !== 'resume' && value.type !== 'renew')
    return { ok: false, code: 'unknown-message', message: 'The types that a client may send are edit, resume and renew.' }
  const parsed = value.type === 'resume' ? parseResume(value) : parseRenew(value)
  if (parsed.ok) return { ok: true, message: parsed.value }
  return { ok: false, code: 'invalid-message', message: describe(parsed.faults) }
}
