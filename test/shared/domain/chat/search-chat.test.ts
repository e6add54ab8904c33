import { describe, expect, it } from '@jest/globals'
import { batchId, chatBatches } from '../../../../shared/domain/chat/chat-batch.ts'
import { type ChatQuery, searchChat } from '../../../../shared/domain/chat/search-chat.ts'
import { createMemoryStore } from '../../../../shared/platform/storage/memory-store.ts'

const slotMs = 5_000
const start = Date.parse('2026-11-27T12:00:00.000Z')

type Said = { readonly ms: number; readonly from: string; readonly text: string; readonly by?: string }

const open = () => {
  const store = createMemoryStore()
  let count = 0
  const add = (slot: number, node: string, world: string, lines: readonly Said[]) => {
    count += 1
    const stored = lines.map((line) => ({ channel: 'global', ...line }))
    return store.put(chatBatches, batchId(start + slot * slotMs, node, count), { world, lines: stored })
  }
  const texts = async (query: Partial<ChatQuery> = {}) =>
    (await searchChat(store, { limit: 100, ...query })).lines.map(({ text }) => text)
  /** The texts of all pages, one after the other. */
  const walk = async (query: ChatQuery) => {
    const pages: string[][] = []
    for (let cursor: string | undefined; ; ) {
      const page = await searchChat(store, { ...query, cursor })
      pages.push(page.lines.map(({ text }) => text))
      cursor = page.nextCursor
      if (cursor === undefined) return pages
    }
  }
  return { store, add, texts, walk }
}

describe('the search of the chat log', () => {
  it('merges lines of several nodes, newest first, in pages of any size', async () => {
    const { add, walk } = open()
    await add(0, 'a', 'one', [
      { ms: 0, from: 'Ada', text: '1' },
      { ms: 0, from: 'Ada', text: '1, same millisecond' },
      { ms: 40, from: 'Ada', text: '3' },
    ])
    await add(0, 'b', 'two', [
      { ms: 20, from: 'Bob', text: '2' },
      { ms: 60, from: 'Bob', text: '4' },
    ])
    await add(0, 'a', 'one', [{ ms: 80, from: 'Ada', text: '5' }])
    await add(7, 'b', 'two', [{ ms: 0, from: 'Bob', text: '6' }])
    for (let limit = 1; limit < 9; limit += 1) {
      const pages = await walk({ limit })
      expect(pages.flat()).toEqual(['6', '5', '4', '3', '2', '1, same millisecond', '1'])
      expect(pages.length).toBe(Math.ceil(7 / limit))
    }
  })

  it('combines text, author, world and time', async () => {
    const { add, texts } = open()
    await add(0, 'a', 'one', [
      { ms: 0, from: 'Ada', text: 'Hello ÉMILE', by: 'ada' },
      { ms: 10, from: 'Bob', text: 'hello', by: 'bob' },
    ])
    await add(3, 'b', 'two', [{ ms: 5, from: 'ada', text: 'bye', by: 'other' }])
    expect(await texts({ text: 'e\u0301mile' })).toEqual(['Hello ÉMILE'])
    expect(await texts({ text: 'HELLO' })).toEqual(['hello', 'Hello ÉMILE'])
    expect(await texts({ author: { playerId: 'ada' } })).toEqual(['Hello ÉMILE'])
    expect(await texts({ author: { displayName: 'ADA' } })).toEqual(['bye', 'Hello ÉMILE'])
    expect(await texts({ world: 'two' })).toEqual(['bye'])
    expect(await texts({ fromMs: start + 10, toMs: start + 3 * slotMs + 4 })).toEqual(['hello'])
    expect(await texts({ fromMs: start + 3 * slotMs + 5 })).toEqual(['bye'])
    expect(await texts({ toMs: start })).toEqual(['Hello ÉMILE'])
  })

  it('reads a bounded number of lines and continues with a cursor', async () => {
    const { store, add, walk } = open()
    const lines = Array.from({ length: 200 }, (_, ms) => ({ ms, from: 'Ada', text: 'noise' }))
    await add(0, 'a', 'one', [{ ms: 0, from: 'Ada', text: 'needle' }])
    for (let slot = 1; slot <= 210; slot += 1) await add(slot, 'a', 'one', lines)
    const first = await searchChat(store, { limit: 5, text: 'needle' })
    expect(first.lines).toEqual([])
    expect(first.nextCursor).toBeDefined()
    expect(await walk({ limit: 5, text: 'needle' })).toEqual([[], [], ['needle']])
  })

  it('refuses an invalid cursor', async () => {
    const { store } = open()
    for (const cursor of ['x', Buffer.from('1 2').toString('base64url'), `${Buffer.from('1 2 a').toString('base64url')}=`])
      await expect(searchChat(store, { limit: 5, cursor })).rejects.toMatchObject({ kind: 'invalid', slug: 'bad-request' })
  })
})
