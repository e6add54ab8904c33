import { readFileSync } from 'node:fs'
import { type TObject, type TSchema, type TUnion, Type } from '@sinclair/typebox'
import { exampleOf } from '../../functions/http/openapi/examples.ts'
import { FeedBlock, FeedEvent, FeedReply, FeedRequest } from '../../realtime/feeds/feed-messages.ts'
import { WorldFeedEvent, WorldFeedRequest } from '../../realtime/feeds/world/world-messages.ts'
import { listVectors } from './protocol-vectors.ts'
import { printType } from './type-text.ts'

type Channel = {
  readonly address: string
  readonly description: string
  readonly parameters?: Readonly<Record<string, object>>
  /** The headers and the query of the upgrade, as JSON Schemas. */
  readonly upgrade: { readonly headers?: object; readonly query?: object }
  /** Messages of the server and of clients, by name. */
  readonly sends: Readonly<Record<string, object>>
  readonly receives: Readonly<Record<string, object>>
}

const typeOf = ({ properties }: TObject): string => String(properties.type?.const)

const byType = (schemas: readonly TObject[]): Record<string, TSchema> =>
  Object.fromEntries(schemas.map((schema) => [typeOf(schema), schema]))

const without = ({ anyOf }: TUnion<TObject[]>, type: string): TObject[] => anyOf.filter((schema) => typeOf(schema) !== type)

const editOfBlocks = Type.Object({
  ...FeedRequest.edit.properties,
  edits: Type.Array(FeedBlock, { minItems: 1, maxItems: FeedRequest.edit.properties.edits.maxItems ?? 1 }),
})

const feedUpgrade = {
  headers: {
    type: 'object',
    properties: {
      Authorization: { type: 'string', description: '`Bearer <token>`, where the client can set it.' },
      'Sec-WebSocket-Protocol': {
        type: 'string',
        description: 'In browsers: `gatehouse.feed.v1, bearer.<token>`. The server selects `gatehouse.feed.v1`.',
      },
    },
  },
}
const feedLife =
  'Subprotocol `gatehouse.feed.v1`. The server sends `heartbeat` every 15 s. After 30 s of silence the connection is dead. Close codes: 1000 deleted, 1001 the node stops, 1008 the token ended or lost its permission, 1009 message too large.'
const gameLife =
  'No subprotocol. The server sends a WebSocket ping every 15 s, and drops a client that sent nothing for 30 s after one. Close codes: 1000 left, 1001 going away, 1002 and 1007 invalid frame, 1008 invalid token, 1009 message too large, 1013 full. Of Gatehouse itself: 4001 displaced, 4002 protocol version, 4003 kicked or signed out, 4008 too slow, 4029 too many messages.'

const protocol = { $ref: '#/components/schemas/protocol' }

const channels: Readonly<Record<string, Channel>> = {
  zoneFeed: {
    address: '/api/admin/ws/instances/{id}',
    description: `One zone, live: its record, its blocks, its players. Accepts edits. ${feedLife} See docs/zone-feed.md.`,
    upgrade: feedUpgrade,
    parameters: { id: { description: 'The id of the zone.' } },
    sends: byType([...FeedEvent.anyOf, ...FeedReply.anyOf]),
    receives: { ...byType([FeedRequest.resume, FeedRequest.renew]), edit: editOfBlocks },
  },
  worldFeed: {
    address: '/api/admin/ws/worlds/{world}',
    description: `A part of a world, live: players in view, changed map tiles, zones, chat, players who join and leave, and on request changed blocks. ${feedLife} See docs/world-feed.md.`,
    upgrade: feedUpgrade,
    parameters: { world: { description: 'The name of the world.' } },
    sends: byType([...WorldFeedEvent.anyOf, ...without(FeedReply, 'result')]),
    receives: byType(Object.values(WorldFeedRequest)),
  },
  realtime: {
    address: '/realtime',
    description: `Players in the game, in protobuf or its JSON mapping. The first message is \`connect\` with a token. ${gameLife} See docs/protocol-notes.md.`,
    upgrade: {
      query: {
        type: 'object',
        properties: { world: { type: 'string', description: 'The name of a world. Absent: the active world.' } },
      },
    },
    sends: { ServerMessage: protocol },
    receives: { ClientMessage: protocol },
  },
}

/** Messages of players have those of the golden vectors as examples, in the JSON mapping. */
const examplesOf = (message: string, payload: object): readonly object[] => {
  const from = { ClientMessage: 'client', ServerMessage: 'server' }[message]
  if (from === undefined) return [{ name: message, payload: exampleOf({ ...payload }) }]
  return listVectors().flatMap((vector) => (vector.from === from ? [{ name: vector.name, payload: vector.text }] : []))
}

const nameOf = (channel: string, message: string): string => `${channel}-${message}`
const refs = (channel: string, names: readonly string[]) =>
  names.map((name) => ({ $ref: `#/channels/${channel}/messages/${name}` }))

const describeChannel = (name: string, { address, description, parameters, upgrade, sends, receives }: Channel) => ({
  address,
  description,
  ...(parameters && { parameters }),
  bindings: { ws: { method: 'GET', ...upgrade, bindingVersion: '0.1.0' } },
  messages: Object.fromEntries(
    Object.keys({ ...sends, ...receives }).map((message) => [
      message,
      { $ref: `#/components/messages/${nameOf(name, message)}` },
    ]),
  ),
})

/** The AsyncAPI description of player sockets and both feeds, without the address of the server. */
const describeSockets = () => {
  const entries = Object.entries(channels)
  const proto = readFileSync(new URL('../../realtime/protocol/gatehouse.proto', import.meta.url), 'utf8')
  return {
    channels: Object.fromEntries(entries.map(([name, channel]) => [name, describeChannel(name, channel)])),
    operations: Object.fromEntries(
      entries.flatMap(([name, { sends, receives }]) => {
        const channel = { $ref: `#/channels/${name}` }
        return [
          [`${name}-send`, { action: 'send', channel, messages: refs(name, Object.keys(sends)) }],
          [`${name}-receive`, { action: 'receive', channel, messages: refs(name, Object.keys(receives)) }],
        ]
      }),
    ),
    components: {
      schemas: { protocol: { schemaFormat: 'application/vnd.google.protobuf;version=3', schema: proto } },
      messages: Object.fromEntries(
        entries.flatMap(([name, { sends, receives }]) =>
          Object.entries({ ...sends, ...receives }).map(([message, payload]) => [
            nameOf(name, message),
            { name: message, payload, examples: examplesOf(message, payload) },
          ]),
        ),
      ),
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API token, or the token of a verified sign-in, for feeds: in `Authorization`, or as the subprotocols `gatehouse.feed.v1` and `bearer.<token>`. Players send theirs in `connect`.',
        },
      },
    },
  }
}

/** The description that the server returns, as a module. */
export const createAsyncapi = (): string =>
  [
    '// Made from the messages of sockets by `npm run generate`.\n\n',
    '/** Channels, operations and components of the AsyncAPI document. */\n',
    `export const socketsDescription = ${JSON.stringify(describeSockets(), null, 2)}\n`,
  ].join('')

const printMessages = (name: string, comment: string, { anyOf }: TUnion<TObject[]>): string => {
  const lines = anyOf.map((message) => `  readonly ${message.properties.type?.const}: ${printType(message, '  ')}\n`)
  return `\n/** ${comment} */\nexport interface ${name} {\n${lines.join('')}}\n`
}

/** The types of feed messages, for the client library. */
export const createFeedMessages = (): string =>
  [
    '// Made from the messages of feeds by `npm run generate`.\n',
    printMessages('ZoneFeedNews', 'Messages of the feed of a zone to all its readers, by type.', FeedEvent),
    printMessages('WorldFeedNews', 'Messages of the feed of a world, by type.', WorldFeedEvent),
    printMessages('FeedReplies', 'Answers of a feed to one reader, by type.', FeedReply),
  ].join('')
