import { type Static, Type } from '@sinclair/typebox'
import { changeWays } from '../../../shared/domain/history/block-change.ts'
import { zoomMax } from '../../../shared/domain/worlds/map/tile-grid.ts'
import { Zone } from '../../../shared/domain/zones/zone.ts'
import { ClosedObject } from '../../../shared/kernel/closed-object.ts'
import { createParser } from '../../../shared/kernel/schema.ts'
import {
  ChangedBlock,
  describe,
  feedSmallBytesMax,
  isRecord,
  message,
  type ParsedFeedMessage,
  Position,
  readJson,
  Seq,
} from '../feed-messages.ts'

/** Larger than any world, so that a screen can show its edge. */
const edgeMax = 100_000_000
const Edge = Type.Number({ minimum: -edgeMax, maximum: edgeMax })

const View = message('view', {
  minX: Edge,
  minZ: Edge,
  maxX: Edge,
  maxZ: Edge,
  edits: Type.Optional(Type.Boolean({ default: false, description: 'Whether to send changed blocks in view.' })),
})
/** The blocks that a client views, both ends included. */
export type View = Omit<Static<typeof View>, 'type' | 'edits'>

const Reset = Type.Optional(Type.Literal(true))

const FeedPlayer = Type.Object({ playerId: Type.String(), displayName: Type.String(), position: Position })

/** `by` is the playerId of the author. Absent if it is unknown. */
const FeedChatLine = Type.Object({
  at: Type.String(),
  channel: Type.String(),
  from: Type.String(),
  by: Type.Optional(Type.String()),
  text: Type.String(),
})
export type FeedChatLine = Static<typeof FeedChatLine>

const FeedName = Type.Object({ playerId: Type.String(), displayName: Type.String() })
export type FeedName = Static<typeof FeedName>

/** A changed block. `by` is a playerId. Absent if the server restored a block that could not be stored. */
const FeedEdit = ClosedObject({
  ...ChangedBlock.properties,
  by: Type.Optional(Type.String({ description: 'A playerId.' })),
  via: Type.Union(
    changeWays.map((way) => Type.Literal(way)),
    { description: 'The way of the change, as in the history.' },
  ),
})
export type FeedEdit = Static<typeof FeedEdit>

const FeedTile = Type.Object({
  zoom: Type.Integer({ minimum: 0, maximum: zoomMax }),
  tx: Type.Integer(),
  tz: Type.Integer(),
})
export type FeedTile = Static<typeof FeedTile>

/** A zone for the map: without members, rules and editor data. */
const FeedZone = Type.Omit(Zone, ['clipPlanes', 'shortcutBarPages', 'createdAt', 'updatedAt', 'rules', 'members'])
export type FeedZone = Static<typeof FeedZone>

/** Messages of the feed of a world. `seq` rises with each message. The answer to a `view` or `resume` may repeat the last one. */
export const WorldFeedEvent = Type.Union([
  /** Players who came into view, moved or were renamed. With `reset` these are all players in view. */
  message('players', { players: Type.Array(FeedPlayer), gone: Type.Array(Type.String()), seq: Seq, reset: Reset }),
  /** Changed tiles of the map. With `reset` any tile in view may have changed. `since` is that of the answered `resume`. */
  message('tiles', { tiles: Type.Array(FeedTile), seq: Seq, since: Type.Optional(Seq), reset: Reset }),
  /** Zones that came into view or changed. With `reset` they replace all previous zones. */
  message('zones', { zones: Type.Array(FeedZone), gone: Type.Array(Type.String()), seq: Seq, reset: Reset }),
  /** Chat of all nodes, independent of the view. With `reset` these are the last lines, oldest first. */
  message('chat', { lines: Type.Array(FeedChatLine), seq: Seq, reset: Reset }),
  /** Players who entered this world, in view or not. */
  message('joined', { players: Type.Array(FeedName), seq: Seq }),
  /** Players whose session in this world ended, in view or not. */
  message('left', { players: Type.Array(FeedName), seq: Seq }),
  /** Changed blocks in view, in order, for clients that requested `edits`. With `reset` earlier changes may be missing. */
  message(
    'edits',
    { edits: Type.Array(FeedEdit), seq: Seq, reset: Reset },
    {
      examples: [
        {
          type: 'edits',
          edits: [
            { x: 3, y: 64, z: 9, type: 'stone', was: 'air', by: '3f0c7a52-6d0e-4f0a-9b61-2f6a1f1f7c11', via: 'game' },
            { x: 4, y: 64, z: 9, type: 'air', was: 'grass', via: 'game' },
          ],
          seq: 1795194577056007,
        },
      ],
    },
  ),
])
export type WorldFeedEvent = Static<typeof WorldFeedEvent>

/** Messages that a client of a world feed may send. */
export const WorldFeedRequest = {
  view: View,
  resume: message('resume', { since: Seq }),
  renew: message('renew', { token: Type.String({ minLength: 1, maxLength: 256 }) }),
} as const
export type WorldFeedRequest = {
  [K in keyof typeof WorldFeedRequest]: Static<(typeof WorldFeedRequest)[K]>
}[keyof typeof WorldFeedRequest]

const parseView = createParser(WorldFeedRequest.view)
const parseResume = createParser(WorldFeedRequest.resume)
const parseRenew = createParser(WorldFeedRequest.renew)
const parsers = new Map<unknown, (value: unknown) => ReturnType<typeof parseView | typeof parseResume | typeof parseRenew>>([
  ['view', parseView],
  ['resume', parseResume],
  ['renew', parseRenew],
])

const isInsideOut = (request: WorldFeedRequest): boolean =>
  request.type === 'view' && (request.minX > request.maxX || request.minZ > request.maxZ)

/** Parses a frame of a client. Never throws. */
export const parseWorldFeedMessage = (data: Uint8Array, isBinary: boolean): ParsedFeedMessage<WorldFeedRequest> => {
  if (isBinary) return { ok: false, code: 'binary-frame', message: 'A feed only accepts JSON in text frames.' }
  if (data.length > feedSmallBytesMax)
    return { ok: false, code: 'message-too-large', message: `A message has at most ${feedSmallBytesMax} bytes.` }
  const value = readJson(Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('utf8'))
  if (value === undefined) return { ok: false, code: 'invalid-json', message: 'The frame is not JSON.' }
  if (!isRecord(value)) return { ok: false, code: 'invalid-message', message: 'A message must be an object with a "type".' }
  const parse = parsers.get(value.type)
  if (parse === undefined)
    return { ok: false, code: 'unknown-message', message: 'A client may send the types view, resume and renew.' }
  const parsed = parse(value)
  if (!parsed.ok) return { ok: false, code: 'invalid-message', message: describe(parsed.faults) }
  if (isInsideOut(parsed.value))
    return { ok: false, code: 'invalid-message', message: 'The minimum of the view must not be greater than its maximum.' }
  return { ok: true, message: parsed.value }
}
