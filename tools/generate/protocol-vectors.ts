import {
  createFileRegistry,
  type DescField,
  type DescMessage,
  fromBinary,
  fromJson,
  type JsonObject,
  type JsonValue,
  ScalarType,
  toBinary,
} from '@bufbuild/protobuf'
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt'
import { descriptorSetBase64 } from '../../realtime/protocol/generated/descriptor.ts'
import { ClientMessage, ServerMessage } from '../../realtime/protocol/generated/gatehouse.ts'

/** A frame and its meaning, for tests of clients in any language. */
export type ProtocolVector = {
  readonly name: string
  readonly from: 'client' | 'server'
  readonly about: string
  /** The binary frame in base64. */
  readonly frame: string
  /** The same message as a text frame. */
  readonly text: JsonValue
  /** Of a Chunk: how many blocks of each index its column has, and single blocks by their place in the world. */
  readonly blocks?: { readonly counts: Readonly<Record<string, number>>; readonly at: readonly (readonly number[])[] }
  /** After a Players message: every player in view, by ref. */
  readonly players?: Readonly<Record<string, Readonly<Record<string, number | string>>>>
}

type Draft = Pick<ProtocolVector, 'name' | 'from' | 'about' | 'blocks' | 'players'> & { readonly text: JsonObject }

const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, Buffer.from(descriptorSetBase64, 'base64')))

const describeMessage = (name: string): DescMessage => {
  const message = registry.getMessage(`gatehouse.v1.${name}`)
  if (message === undefined) throw new Error(`The protocol has no message ${name}.`)
  return message
}

const envelopes = { client: describeMessage('ClientMessage'), server: describeMessage('ServerMessage') }
/** Decodes a message and encodes it again as both kinds of frame. */
const recode = {
  client: (bytes: Uint8Array) => {
    const message = ClientMessage.decode(bytes)
    return { frame: ClientMessage.encode(message).finish(), text: ClientMessage.toJSON(message) }
  },
  server: (bytes: Uint8Array) => {
    const message = ServerMessage.decode(bytes)
    return { frame: ServerMessage.encode(message).finish(), text: ServerMessage.toJSON(message) }
  },
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

/** Encodes a draft with the codec of the server, which leaves out zeros. */
const encode = ({ name, from, about, text, ...meaning }: Draft): ProtocolVector => {
  const recoded = recode[from](toBinary(envelopes[from], fromJson(envelopes[from], text)))
  return { name, from, about, frame: base64(recoded.frame), text: JSON.parse(JSON.stringify(recoded.text)), ...meaning }
}

const playerId = '0192f0a4-6b1d-7c3e-9a55-2f8d4c1e7b60'
const otherId = '0192f0a4-7777-7c3e-9a55-2f8d4c1e7b61'
const position = { x: 8.5, y: 64, z: -3.25, yaw: 90, pitch: -45 }

const entries = 4096
const entryOf = (x: number, y: number, z: number): number => (y & 15) * 256 + (z & 15) * 16 + (x & 15)

/** A section of entry 0, except the entries given by place in the world. */
const sectionOf = (
  y: number,
  palette: readonly number[],
  bits: number,
  at: readonly (readonly [number, number, number, number])[],
) => {
  const data = Buffer.alloc((entries * bits) / 8)
  for (const [x, by, z, entry] of at) {
    const e = entryOf(x, by, z)
    if (bits === 16) data.writeUInt16LE(entry, 2 * e)
    else data[(e * bits) >> 3] = (data[(e * bits) >> 3] ?? 0) | (entry << ((e * bits) & 7))
  }
  return { y, palette: [...palette], bits, data: base64(data) }
}

/** The bytes of an entry of `CellMoves.moved`. */
const movedOf = (...moves: readonly { ref: number; x: number; y: number; z: number; yaw: number; pitch: number }[]): string => {
  const bytes = Buffer.alloc(10 * moves.length)
  for (const [index, { ref, x, y, z, yaw, pitch }] of moves.entries()) {
    const at = 10 * index
    for (const [place, value] of [ref, x, y, z].entries()) bytes.writeUInt16LE(value, at + 2 * place)
    bytes.writeUInt8(yaw, at + 8)
    bytes.writeInt8(pitch, at + 9)
  }
  return base64(bytes)
}

const wide = Array.from({ length: 300 }, (_, index) => index)
const blocks = [
  { index: 0, id: 'air' },
  { index: 1, id: 'unknown', colour: 0xff00ff, solid: true, placeholder: true },
  { index: 2, id: 'stone', colour: 0x7f7f7f, solid: true },
  { index: 5, id: 'water', colour: 0x3355ff },
]
const limits = { messagesPerSecond: 60, burst: 120, editCost: 4, commandCost: 4 }

/** A session from its sign-in to its resume, then messages that clients read wrong most often. */
const drafts: readonly Draft[] = [
  {
    name: 'connect',
    from: 'client',
    about: 'The first message of a client, with a token.',
    text: { connect: { token: 'ght_example', protocolVersion: 1, clientName: 'python' } },
  },
  {
    name: 'welcome',
    from: 'server',
    about: 'The first message of the server. Absent fields are zero: air is not solid and has colour 0.',
    text: {
      welcome: {
        playerId,
        displayName: 'Ada',
        groups: ['player'],
        position,
        world: { name: 'default' },
        tickRate: 20,
        viewRadius: 8,
        viewRadiusMax: 8,
        blocks,
        commands: [{ name: 'who', usage: '/who', description: 'Lists the players.' }],
        resumeToken: 'first-resume-token',
        resumeSeconds: 60,
        limits,
      },
    },
  },
  {
    name: 'chunk-one-kind',
    from: 'server',
    about: 'A column with one section of a single kind: no bits and no data. All other sections are air.',
    text: { chunk: { cx: -1, cz: 2, sections: [{ y: 3, palette: [2] }] } },
    blocks: {
      counts: { 0: 61_440, 2: 4096 },
      at: [
        [-1, 48, 32, 2],
        [-16, 63, 47, 2],
        [-8, 64, 40, 0],
      ],
    },
  },
  {
    name: 'chunk-1-bit',
    from: 'server',
    about: 'Two sections; the second has entries of 1 bit. The lowest bits of a byte come first.',
    text: {
      chunk: {
        cx: -1,
        cz: 2,
        sections: [
          { y: 3, palette: [2] },
          sectionOf(4, [0, 5], 1, [
            [-15, 64, 32, 1],
            [-1, 64, 47, 1],
          ]),
        ],
      },
    },
    blocks: {
      counts: { 0: 61_438, 2: 4096, 5: 2 },
      at: [
        [-15, 64, 32, 5],
        [-16, 64, 32, 0],
        [-1, 64, 47, 5],
      ],
    },
  },
  ...[2, 4, 8].map((bits): Draft => {
    const last = 2 ** bits - 1
    const palette = wide.slice(0, last + 1)
    return {
      name: `chunk-${bits}-bits`,
      from: 'server',
      about: `A section with entries of ${bits} bits. Section 0 has no \`y\`.`,
      text: {
        chunk: {
          cx: 3,
          cz: -4,
          sections: [
            sectionOf(0, palette, bits, [
              [48, 0, -64, last],
              [49, 0, -64, 1],
              [63, 15, -49, 2],
            ]),
          ],
        },
      },
      blocks: {
        counts: last === 3 ? { 0: 65_533, 1: 1, 2: 1, 3: 1 } : { 0: 65_533, 1: 1, 2: 1, [last]: 1 },
        at: [
          [48, 0, -64, last],
          [49, 0, -64, 1],
          [63, 15, -49, 2],
          [50, 0, -64, 0],
        ],
      },
    }
  }),
  {
    name: 'chunk-16-bits',
    from: 'server',
    about: 'A section with entries of 16 bits, the lower byte first.',
    text: {
      chunk: {
        sections: [
          sectionOf(15, wide, 16, [
            [0, 240, 0, 299],
            [15, 255, 15, 256],
          ]),
        ],
      },
    },
    blocks: {
      counts: { 0: 65_534, 256: 1, 299: 1 },
      at: [
        [0, 240, 0, 299],
        [15, 255, 15, 256],
        [1, 240, 0, 0],
      ],
    },
  },
  { name: 'chunk-gone', from: 'server', about: 'A column left the view.', text: { chunkGone: { cx: -1, cz: 2 } } },
  {
    name: 'players-appear',
    from: 'server',
    about: 'Two players come into view.',
    text: {
      players: {
        tick: 100,
        appeared: [
          { ref: 7, playerId: otherId, displayName: 'Ben', position },
          { ref: 300, playerId: '0192f0a4-8888-7c3e-9a55-2f8d4c1e7b62', displayName: 'Cid', position: { y: 70 } },
        ],
      },
    },
    players: {
      7: { displayName: 'Ben', x: 8.5, y: 64, z: -3.25, yaw: 90, pitch: -45 },
      300: { displayName: 'Cid', x: 0, y: 70, z: 0, yaw: 0, pitch: 0 },
    },
  },
  {
    name: 'players-move',
    from: 'server',
    about:
      'Both moved, in two cells: places in 1/64 block from the corner of the cell, angles in 1/256 turn. Ref 9 is unknown: skip it.',
    text: {
      players: {
        tick: 102,
        cells: [
          {
            cell: { x: 0, z: -1 },
            moved: movedOf(
              { ref: 7, x: 608, y: 4096, z: 3888, yaw: 64, pitch: -32 },
              { ref: 9, x: 1, y: 1, z: 1, yaw: 1, pitch: 1 },
            ),
          },
          { cell: { x: -2, z: 3 }, moved: movedOf({ ref: 300, x: 4095, y: 16_320, z: 1, yaw: 255, pitch: 63 }) },
        ],
      },
    },
    players: {
      7: { displayName: 'Ben', x: 9.5, y: 64, z: -3.25, yaw: 90, pitch: -45 },
      300: { displayName: 'Cid', x: -64.015625, y: 255, z: 192.015625, yaw: 358.59375, pitch: 88.59375 },
    },
  },
  {
    name: 'players-gone',
    from: 'server',
    about: 'One is renamed, which is an appearance with the same ref; the other leaves the view.',
    text: { players: { tick: 104, appeared: [{ ref: 7, playerId: otherId, displayName: 'Benedict', position }], gone: [300] } },
    players: { 7: { displayName: 'Benedict', x: 8.5, y: 64, z: -3.25, yaw: 90, pitch: -45 } },
  },
  {
    name: 'move',
    from: 'client',
    about: 'The wanted place.',
    text: { move: { seq: 1, x: 8.7, y: 64, z: -3.25, yaw: 359.5, pitch: -1 } },
  },
  {
    name: 'move-zeros',
    from: 'client',
    about: 'Zeros are not sent: only `seq` and `y` are in the frame.',
    text: { move: { seq: 2, x: 0, y: 64, z: 0, yaw: 0, pitch: 0 } },
  },
  {
    name: 'correction',
    from: 'server',
    about: 'A refused Move, and the actual place.',
    text: { correction: { seq: 2, position, reason: 'too-fast' } },
  },
  {
    name: 'edit-blocks',
    from: 'client',
    about: 'One block is placed and one is broken, at negative coordinates (sint32: zigzag).',
    text: {
      editBlocks: {
        seq: 3,
        edits: [
          { x: -1, y: 64, z: -30_000_000, type: 'stone' },
          { x: 5, y: 63, z: 2, type: 'air' },
        ],
      },
    },
  },
  {
    name: 'blocks-changed',
    from: 'server',
    about: 'The same edit, as every player sees it.',
    text: { blocksChanged: { edits: [{ x: 5, y: 63, z: 2, type: 'air' }], by: playerId } },
  },
  { name: 'edit-stored', from: 'server', about: 'The edit is durable.', text: { editResult: { seq: 3, ok: true } } },
  {
    name: 'edit-refused',
    from: 'server',
    about: 'A refusal: `ok` is absent. `index` 0 is present, because it is optional: the first edit is the fault.',
    text: { editResult: { seq: 4, reason: 'unknown-block', index: 0 } },
  },
  { name: 'chat', from: 'client', about: 'A line of chat in the default channel.', text: { chat: { text: 'héllo 🙂' } } },
  {
    name: 'chat-message',
    from: 'server',
    about: 'A line as every player receives it.',
    text: { chatMessage: { channel: 'global', from: 'Ada', text: 'héllo 🙂', fromId: playerId } },
  },
  { name: 'command', from: 'client', about: 'A command.', text: { command: { seq: 5, text: '/who' } } },
  { name: 'ping', from: 'client', about: 'The largest nonce, which takes five bytes.', text: { ping: { nonce: 4_294_967_295 } } },
  {
    name: 'pong',
    from: 'server',
    about: 'Its answer, with the time of the server in milliseconds.',
    text: { pong: { nonce: 4_294_967_295, serverTime: 1_795_780_800_000.5 } },
  },
  {
    name: 'kick',
    from: 'server',
    about: 'The server stops. Resume after the delay.',
    text: { kick: { code: 'going-away', reason: 'The server restarts.', retryAfterMs: 1500 } },
  },
  {
    name: 'connect-resume',
    from: 'client',
    about:
      'The first message of the next connection: the resume token instead of a token, and a view radius of 0, which is present.',
    text: { connect: { protocolVersion: 1, clientName: 'python', resumeToken: 'first-resume-token', viewRadius: 0 } },
  },
  {
    name: 'welcome-resumed',
    from: 'server',
    about: 'The answer: the same player at the same place, and the next resume token.',
    text: {
      welcome: {
        playerId,
        displayName: 'Ada',
        position,
        world: { name: 'default' },
        tickRate: 20,
        blocks,
        resumeToken: 'second-resume-token',
      },
    },
  },
  { name: 'disconnect', from: 'client', about: 'A message without fields.', text: { disconnect: {} } },
]

const sampleScalar = ({ scalar, jsonName, number }: DescField): JsonValue => {
  if (scalar === ScalarType.STRING) return jsonName
  if (scalar === ScalarType.BYTES) return 'AQID'
  return scalar === ScalarType.BOOL ? true : number
}

/** A value for a field, made from its type. No message of the protocol contains itself. */
const sampleOf = (field: DescField): JsonValue => {
  const { message } = field
  let sample = sampleScalar(field)
  if (message?.typeName === 'google.protobuf.Value') sample = { sample: true }
  else if (message !== undefined) sample = Object.fromEntries(message.fields.map((inner) => [inner.jsonName, sampleOf(inner)]))
  return field.fieldKind === 'list' ? [sample] : sample
}

/** A message of each kind that has no draft, with a value in every field. */
const sampleOthers = (from: 'client' | 'server'): readonly Draft[] =>
  envelopes[from].fields
    .filter(({ jsonName }) => !drafts.some((draft) => draft.from === from && jsonName in draft.text))
    .map((field) => ({
      name: `sample-${field.name.replaceAll('_', '-')}`,
      from,
      about: 'A value in every field. The values mean nothing.',
      text: { [field.jsonName]: sampleOf(field) },
    }))

/** A frame with a field and a message that no client knows yet, around a Pong. */
const laterVectors = (): readonly ProtocolVector[] => {
  const pong = Buffer.from(ServerMessage.encode({ kind: { $case: 'pong', value: { nonce: 1, serverTime: 0 } } }).finish())
  const field = Buffer.from([0xfa, 0x7f, 3, 1, 2, 3])
  const inner = Buffer.concat([pong.subarray(3), field])
  return [
    {
      name: 'unknown-field',
      from: 'server',
      about: 'A Pong of a later version, with a field 2047. Skip the field.',
      frame: base64(Buffer.concat([pong.subarray(0, 2), Buffer.from([inner.length]), inner])),
      text: { pong: { nonce: 1, serverTime: 0 } },
    },
    {
      name: 'unknown-message',
      from: 'server',
      about: 'A message of a later version, in field 2047. Skip the whole frame.',
      frame: base64(field),
      text: {},
    },
  ]
}

/** A frame of each message in both of its forms. */
export const listVectors = () => [...drafts, ...sampleOthers('client'), ...sampleOthers('server')].map(encode)

/** The golden vectors of the protocol, generated from its codec. */
export const createProtocolVectors = (): string => {
  const lines = [...listVectors(), ...laterVectors()].map((vector) => JSON.stringify(vector))
  return `{"about":"Frames of the protocol and their meaning. Generated by npm run generate. docs/protocol-notes.md explains them.","vectors":[\n${lines.join(',\n')}\n]}\n`
}
