import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { ClientMessage, type Move, ServerMessage } from '../../../realtime/protocol/generated/gatehouse.ts'
import { decodeClientFrame, encodeServerMessage, type ServerMessageKind } from '../../../realtime/protocol/messages.ts'

const uint32 = fc.integer({ min: 0, max: 0xffffffff })
// Encoders omit -0 like 0.
const float = fc.float({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)
const double = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)
const text = fc.string({ unit: 'grapheme', maxLength: 40 })
const move: fc.Arbitrary<Move> = fc.record({ seq: uint32, x: double, y: double, z: double, yaw: float, pitch: float })

const clientKind: fc.Arbitrary<NonNullable<ClientMessage['kind']>> = fc.oneof(
  fc.record({ token: text, protocolVersion: uint32, clientName: text }).map((value) => ({ $case: 'connect' as const, value })),
  fc
    .record({ token: text, protocolVersion: uint32, clientName: text, resumeToken: text })
    .map((value) => ({ $case: 'connect' as const, value })),
  move.map((value) => ({ $case: 'move' as const, value })),
  fc.record({ text }).map((value) => ({ $case: 'chat' as const, value })),
  fc.record({ channel: text, text }).map((value) => ({ $case: 'chat' as const, value })),
  fc.record({ seq: uint32, text }).map((value) => ({ $case: 'command' as const, value })),
  fc.array(text).map((names) => ({ $case: 'preferences' as const, value: { disabledCommands: { names } } })),
  fc.record({ chunks: uint32 }).map((value) => ({ $case: 'viewRadius' as const, value })),
  fc.record({ nonce: uint32 }).map((value) => ({ $case: 'ping' as const, value })),
  fc.constant({ $case: 'disconnect' as const, value: {} }),
  fc
    .record({ seq: uint32, module: text, name: text, body: fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes)) })
    .map((value) => ({ $case: 'moduleCall' as const, value })),
)

const json = (value: unknown): Uint8Array => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))

describe('client frames', () => {
  it('survive a round trip through protobuf', () => {
    fc.assert(
      fc.property(clientKind, (kind) => {
        expect(decodeClientFrame(ClientMessage.encode({ kind }).finish(), 'binary')).toEqual({ ok: true, message: kind })
      }),
    )
  })

  it('survive a round trip through the JSON mapping', () => {
    fc.assert(
      fc.property(clientKind, (kind) => {
        const read = decodeClientFrame(json(ClientMessage.toJSON({ kind })), 'text')
        expect(read).toEqual({ ok: true, message: ClientMessage.decode(ClientMessage.encode({ kind }).finish()).kind })
      }),
    )
  })

  it('of any bytes or text never make the parser throw', () => {
    const answers = (data: Uint8Array, kind: 'binary' | 'text') => typeof decodeClientFrame(data, kind).ok === 'boolean'
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => answers(bytes, 'binary') && answers(bytes, 'text')),
      { numRuns: 2000 },
    )
    fc.assert(fc.property(fc.json(), (value) => answers(json(value), 'text')))
    const names = fc.constantFrom('connect', 'move', 'chat', 'command', 'preferences', 'viewRadius', 'ping', 'disconnect', 'x')
    fc.assert(
      fc.property(
        fc.dictionary(names, fc.dictionary(fc.constantFrom('seq', 'x', 'text', 'names', 'token'), fc.jsonValue())),
        (value) => answers(json(value), 'text'),
      ),
    )
  })

  it.each([
    ['JSON that does not parse', '{"move":'],
    ['an array', '[]'],
    ['null', 'null'],
    ['a number where a message belongs', '{"move":5}'],
    ['a text where a number belongs', '{"move":{"x":"here"}}'],
    ['a number where a text belongs', '{"chat":{"text":5}}'],
    ['a negative unsigned number', '{"ping":{"nonce":-1}}'],
    ['two kinds at once', '{"ping":{},"disconnect":{}}'],
    ['nesting without end', '['.repeat(60_000)],
  ])('refuse %s as invalid-message', (_what, frame) => {
    expect(decodeClientFrame(json(frame), 'text')).toMatchObject({ ok: false, code: 'invalid-message' })
  })

  it.each([
    ['{"move":{"seq":7,"x":"here"}}', 7, 'move.x'],
    ['{"chat":{"text":5}}', undefined, 'chat.text'],
    ['{"editBlocks":{"seq":9,"edits":[{"x":1,"type":"stone"},{"x":1.5}]}}', 9, 'editBlocks.edits[1].x'],
    ['{"edit_blocks":{"seq":9,"edits":{}}}', 9, 'editBlocks.edits'],
    ['{"preferences":{"disabledCommands":{"names":[1]}}}', undefined, 'preferences.disabledCommands.names'],
    ['{"ping":{},"disconnect":{}}', undefined, undefined],
    ['{"move":', undefined, undefined],
  ])('name the seq and the invalid field of %s', (frame, seq, field) => {
    const { ok, ...fault } = decodeClientFrame(json(frame), 'text')
    expect({ ok, seq: undefined, field: undefined, ...fault }).toMatchObject({ ok: false, code: 'invalid-message', seq, field })
  })

  it('refuse truncated, nested and trailing protobuf as invalid-message', () => {
    const frame = ClientMessage.encode({ kind: { $case: 'chat', value: { text: 'hello' } } }).finish()
    for (const bytes of [frame.subarray(0, 4), Buffer.alloc(60_000, 0x0b), Buffer.concat([frame, Buffer.from([0, 1, 2])])])
      expect(decodeClientFrame(bytes, 'binary')).toMatchObject({ ok: false, code: 'invalid-message' })
  })

  it.each([
    ['unknown keys', Object.fromEntries(Array.from({ length: 4000 }, (_, at) => [`k${at}`, 0]))],
    ['empty edits', { editBlocks: { edits: Array(4000).fill({}) } }],
    ['ignored depth', { ping: { nonce: 3 }, mood: JSON.parse(`${'['.repeat(4000)}${']'.repeat(4000)}`) }],
  ])('of thousands of %s are refused before they are parsed as JSON', (_name, value) => {
    expect(decodeClientFrame(json(value), 'text')).toMatchObject({ ok: false, code: 'invalid-message' })
  })

  it('with the maximum number of edits are read as JSON', () => {
    const edits = Array.from({ length: 256 }, (_, at) => ({ x: at, y: 255, z: -1, type: 'a'.repeat(64) }))
    expect(decodeClientFrame(json({ editBlocks: { seq: 1, edits } }), 'text')).toMatchObject({ ok: true })
  })

  it('of an unknown kind are unknown-message, and unknown fields of a known kind are ignored', () => {
    expect(decodeClientFrame(json({ dance: {} }), 'text')).toMatchObject({ ok: false, code: 'unknown-message' })
    expect(decodeClientFrame(Buffer.from([0xa2, 0x06, 0x00]), 'binary')).toMatchObject({ ok: false, code: 'unknown-message' })
    expect(decodeClientFrame(json({ ping: { nonce: 3, mood: 'good' } }), 'text')).toEqual({
      ok: true,
      message: { $case: 'ping', value: { nonce: 3 } },
    })
  })
})

describe('server frames', () => {
  const messages: readonly ServerMessageKind[] = [
    { $case: 'pong', value: { nonce: 7, serverTime: 1_700_000_000_123.5 } },
    { $case: 'error', value: { code: 'busy', message: 'Später', seq: 0 } },
    { $case: 'commandResult', value: { seq: 1, ok: true, text: 'done', data: { a: [1, { b: null }] } } },
    {
      $case: 'players',
      value: { tick: 1, cells: [{ cell: { x: -1, z: 2 }, moved: Buffer.from([1, 2, 3]) }], appeared: [], gone: [1, 300] },
    },
  ]

  it.each(messages)('have $$case in protobuf', (message) => {
    expect(ServerMessage.decode(encodeServerMessage(message, 'binary')).kind).toEqual(message)
  })

  it('have bytes as base64 and fields in camelCase in JSON', () => {
    const frames = messages.map((message) => JSON.parse(Buffer.from(encodeServerMessage(message, 'text')).toString()))
    expect(frames).toEqual([
      { pong: { nonce: 7, serverTime: 1_700_000_000_123.5 } },
      { error: { code: 'busy', message: 'Später', seq: 0 } },
      { commandResult: { seq: 1, ok: true, text: 'done', data: { a: [1, { b: null }] } } },
      { players: { tick: 1, cells: [{ cell: { x: -1, z: 2 }, moved: 'AQID' }], gone: [1, 300] } },
    ])
  })

  it('include false, zero and empty texts in JSON, for clients without tools', () => {
    const refusal = { $case: 'commandResult' as const, value: { seq: 0, ok: false, text: '', data: undefined } }
    expect(JSON.parse(Buffer.from(encodeServerMessage(refusal, 'text')).toString())).toEqual({
      commandResult: { seq: 0, ok: false, text: '' },
    })
  })
})
