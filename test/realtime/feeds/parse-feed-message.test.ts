import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { parseFeedMessage } from '../../../realtime/feeds/feed-messages.ts'

const feedMessageBytesMax = 524_288

const parse = (value: unknown) => parseFeedMessage(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)), false)
const block = { x: 1, y: 2, z: 3, type: 'stone' }

describe('a message of a feed client', () => {
  it.each([
    ['an edit', { type: 'edit', ref: 1, edits: [block] }, { type: 'edit', ref: 1, edits: [block], partial: false }],
    [
      'a partial edit',
      { type: 'edit', ref: -4, edits: [block], partial: true },
      { type: 'edit', ref: -4, edits: [block], partial: true },
    ],
    ['a resume', { type: 'resume', since: 0 }, { type: 'resume', since: 0 }],
    ['a renewal', { type: 'renew', token: 'abc' }, { type: 'renew', token: 'abc' }],
  ])('is accepted when it is %s', (_name, sent, message) => {
    expect(parse(sent)).toEqual({ ok: true, message })
  })

  it('is accepted when it is the largest possible edit', () => {
    const edits = Array.from({ length: 4096 }, () => ({ x: -1e9, y: 255, z: -1e9, type: 'a'.repeat(64) }))
    const edit = { type: 'edit', ref: Number.MIN_SAFE_INTEGER, edits, partial: true }
    expect(parse(edit)).toEqual({ ok: true, message: edit })
  })

  it('is accepted when each character of a token is escaped', () => {
    expect(parse(`{"type":"renew","token":"${'\\u0061'.repeat(256)}"}`)).toMatchObject({ ok: true })
  })

  it.each([
    ['not JSON', '{"type":', 'invalid-json'],
    ['empty', '', 'invalid-json'],
    ['a list', [], 'invalid-message'],
    ['null', 'null', 'invalid-message'],
    ['a number', 3, 'invalid-message'],
    ['without a type', {}, 'unknown-message'],
    ['of a type that only servers send', { type: 'zone' }, 'unknown-message'],
    ['of a type that every object has', { type: 'constructor' }, 'unknown-message'],
    ['an edit without blocks', { type: 'edit', ref: 1, edits: [] }, 'invalid-message'],
    ['an edit without ref', { type: 'edit', edits: [block] }, 'invalid-message'],
    ['an edit with a fractional ref', { type: 'edit', ref: 1.5, edits: [block] }, 'invalid-message'],
    ['an edit between blocks', { type: 'edit', ref: 1, edits: [{ ...block, y: 0.5 }] }, 'invalid-message'],
    ['an edit with an unknown key', { type: 'edit', ref: 1, edits: [block], patial: true }, 'invalid-message'],
    ['an edit of more than 4,096 blocks', { type: 'edit', ref: 1, edits: Array(4097).fill(block) }, 'too-many-edits'],
    ['a resume from a negative number', { type: 'resume', since: -1 }, 'invalid-message'],
    ['a renewal without a token', { type: 'renew' }, 'invalid-message'],
    ['of too many keys', Object.fromEntries(Array.from({ length: 20_001 }, (_, at) => [`k${at}`, 0])), 'message-too-large'],
    [
      'an edit with a block of too many keys',
      { type: 'edit', ref: 1, edits: [Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`k${at}`, 0]))] },
      'message-too-large',
    ],
    ['an edit of several KiB with lists in lists', { type: 'edit', ref: 1, edits: [[[' '.repeat(5000)]]] }, 'message-too-large'],
    ['a resume of a thousand keys', `{"type":"resume",${',"k":0'.repeat(1000).slice(1)}}`, 'message-too-large'],
    ['a renewal of several KiB', { type: 'renew', token: 'a'.repeat(5000) }, 'message-too-large'],
    [
      'an edit of 1,000 blocks with an unknown key',
      { type: 'edit', ref: 1, edits: Array(1000).fill({ ...block, why: '' }) },
      'invalid-message',
    ],
    ['over 512 KiB', ' '.repeat(feedMessageBytesMax + 1), 'message-too-large'],
  ])('is refused by code when it is %s', (_name, sent, code) => {
    expect(parse(sent)).toMatchObject({ ok: false, code, message: expect.any(String) })
  })

  it('is refused when it is binary', () => {
    expect(parseFeedMessage(Buffer.from('{}'), true)).toMatchObject({ ok: false, code: 'binary-frame' })
  })

  it('is refused with the ref of its edit and the position of its first fault', () => {
    expect(parse({ type: 'edit', ref: 9, edits: [block, { ...block, x: 'a' }, 7] })).toEqual({
      ok: false,
      code: 'invalid-message',
      message: '/edits/1/x must be a whole number.',
      ref: 9,
    })
  })

  it('never makes the parser throw, and is accepted only in the shape of its type', () => {
    const near = fc.record(
      {
        type: fc.oneof(fc.constantFrom('edit', 'resume', 'renew', 'zone'), fc.jsonValue()),
        ref: fc.oneof(fc.integer(), fc.jsonValue()),
        edits: fc.oneof(fc.array(fc.oneof(fc.constant(block), fc.jsonValue()), { maxLength: 5 }), fc.jsonValue()),
        since: fc.oneof(fc.nat(), fc.jsonValue()),
        token: fc.oneof(fc.string(), fc.jsonValue()),
      },
      { requiredKeys: [] },
    )
    const text = fc.oneof(
      fc.string(),
      fc.json(),
      near.map((value) => JSON.stringify(value)),
    )
    fc.assert(
      fc.property(text, fc.boolean(), (sent, isBinary) => {
        const parsed = parseFeedMessage(Buffer.from(sent), isBinary)
        if (!parsed.ok) expect(parsed.message).toMatch(/\.$/)
        else if (parsed.message.type === 'edit')
          for (const { x, y, z, type } of parsed.message.edits)
            expect([x, y, z].every(Number.isInteger) && typeof type === 'string').toBe(true)
        else if (parsed.message.type === 'resume') expect(parsed.message.since).toBeGreaterThanOrEqual(0)
        else expect(parsed.message.token.length).toBeGreaterThan(0)
      }),
      { numRuns: 2000 },
    )
  })

  it('never makes the parser throw, whatever its bytes', () => {
    fc.assert(fc.property(fc.uint8Array(), (bytes) => typeof parseFeedMessage(bytes, false).ok === 'boolean'))
  })
})
