import { AppError } from '../../kernel/errors.ts'
import type { Page, Store } from '../../platform/storage/store.ts'
import { cursorAfter } from '../../platform/storage/store-rules.ts'
import { type ChatBatch, chatBatches, slotOf, slotOfId, slotPrefix } from './chat-batch.ts'

/** One search reads slots until it has read this many lines or batches. The caller continues with the cursor. */
const linesReadMax = 20_000
const batchesReadMax = 2_000
const batchesPerPage = 50

export type FoundLine = {
  readonly atMs: number
  readonly world: string
  readonly channel: string
  readonly from: string
  readonly text: string
  /** The playerId of the author. */
  readonly by?: string
}

export type ChatQuery = {
  readonly limit: number
  readonly cursor?: string | undefined
  /** A part of the text, in any letter case. */
  readonly text?: string | undefined
  /** The author: by playerId, or by the whole display name in any letter case. */
  readonly author?: { readonly playerId: string } | { readonly displayName: string } | undefined
  readonly world?: string | undefined
  /** Included. */
  readonly fromMs?: number | undefined
  /** Included. */
  readonly toMs?: number | undefined
}

/** The place of a line in the order: by time, then by batch, then in its batch. */
type Position = { readonly atMs: number; readonly id: string; readonly index: number }
type Match = Position & { readonly line: FoundLine }

const encodeCursor = ({ atMs, id, index }: Position): string => Buffer.from(`${atMs} ${index} ${id}`).toString('base64url')

const decodeCursor = (cursor: string): Position => {
  const [, atMs, index, id] = /^(\d{1,15}) (\d{1,9}) ([\w./:-]{0,200})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (atMs !== undefined && index !== undefined && id !== undefined) {
    const position = { atMs: Number(atMs), index: Number(index), id }
    if (encodeCursor(position) === cursor) return position
  }
  throw new AppError('invalid', 'bad-request', 'The cursor is not valid. Use the nextCursor of the previous page.', {
    errors: [{ pointer: '/cursor', message: 'must be the nextCursor of the previous page' }],
  })
}

/** Negative if `a` is the newer line. */
const compareNewest = (a: Position, b: Position): number =>
  b.atMs - a.atMs || (a.id === b.id ? b.index - a.index : a.id > b.id ? -1 : 1)

const fold = (text: string): string => text.normalize('NFC').toLowerCase()

const createMatcher = ({ text, author, world, fromMs = 0, toMs = Number.MAX_SAFE_INTEGER }: ChatQuery) => {
  const part = fold(text ?? '')
  const name = author !== undefined && 'displayName' in author ? fold(author.displayName) : undefined
  const playerId = author !== undefined && 'playerId' in author ? author.playerId : undefined
  return (line: FoundLine): boolean =>
    (world === undefined || line.world === world) &&
    line.atMs >= fromMs &&
    line.atMs <= toMs &&
    (playerId === undefined || line.by === playerId) &&
    (name === undefined || fold(line.from) === name) &&
    (part === '' || fold(line.text).includes(part))
}

/**
 * Stored chat lines, newest first. A page may have fewer lines than `limit` and still have a cursor. Throws AppError `invalid` for an
 * invalid cursor.
 */
export const searchChat = async (
  store: Pick<Store, 'list'>,
  query: ChatQuery,
): Promise<{ readonly lines: readonly FoundLine[]; readonly nextCursor?: string }> => {
  const { limit, cursor, fromMs = 0, toMs = Date.parse('9999-01-01') } = query
  const matches = createMatcher(query)
  const after = cursor === undefined ? undefined : decodeCursor(cursor)
  const found: Match[] = []
  let slotMatches: Match[] = []
  let slot = Number.POSITIVE_INFINITY
  let linesRead = 0
  let batchesRead = 0

  const endSlot = (): void => {
    found.push(...slotMatches.sort(compareNewest))
    slotMatches = []
  }
  const readBatch = (id: string, { world, lines }: ChatBatch): void => {
    linesRead += lines.length
    batchesRead += 1
    for (const [index, { ms, ...said }] of lines.entries()) {
      const line = { atMs: slotOfId(id) + ms, world, ...said }
      const match = { atMs: line.atMs, id, index, line }
      if (matches(line) && (after === undefined || compareNewest(after, match) < 0)) slotMatches.push(match)
    }
  }
  const answer = (rest?: Position) => {
    const shown = found.slice(0, limit)
    const last = shown.at(-1)
    const next = found.length > limit ? last : rest
    return { lines: shown.map(({ line }) => line), ...(next !== undefined && { nextCursor: encodeCursor(next) }) }
  }

  // Sorts after all ids of the slot.
  let storeCursor: string | undefined = cursorAfter(`${slotPrefix(slotOf(Math.min(after?.atMs ?? toMs, toMs)))}~`)
  do {
    const page: Page<ChatBatch> = await store.list(chatBatches, {
      order: 'descending',
      limit: batchesPerPage,
      cursor: storeCursor,
    })
    for (const { id, value } of page.records) {
      if (slotOfId(id) !== slot) {
        endSlot()
        if (found.length > limit || slotOfId(id) < slotOf(fromMs)) return answer()
        if (linesRead >= linesReadMax || batchesRead >= batchesReadMax) return answer({ atMs: slot, id: '', index: 0 })
        slot = slotOfId(id)
      }
      readBatch(id, value)
    }
    storeCursor = page.nextCursor
  } while (storeCursor !== undefined)
  endSlot()
  return answer()
}
