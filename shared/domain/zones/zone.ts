import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../kernel/closed-object.ts'
import { AppError } from '../../kernel/errors.ts'
import { createParser } from '../../kernel/schema.ts'
import { isShown } from '../../kernel/shown-text.ts'
import { type Collection, createCollection } from '../../platform/storage/store.ts'
import { chunkMax, chunkMin, worldHeight } from '../../rules/positions.ts'
import { WorldName } from '../worlds/world.ts'

/** In code points. */
const nameLengthMax = 64

/** The trimmed name. Throws AppError `invalid` with the pointer `/name` unless it has 1 to 64 visible characters. */
export const parseZoneName = (text: string): string => {
  const name = text.trim()
  if (isShown(name) && [...name].length <= nameLengthMax) return name
  const message = `must have 1 to ${nameLengthMax} visible characters, with at most four marks each`
  throw new AppError('invalid', 'bad-request', 'The name of the zone is not valid.', { errors: [{ pointer: '/name', message }] })
}

const Height = Type.Integer({ minimum: 0, maximum: worldHeight - 1 })
const ChunkCoordinate = Type.Integer({ minimum: chunkMin, maximum: chunkMax })

/** 1 to 4,096 distinct columns. Stored zones have them sorted by cx, then cz. */
export const ZoneChunks = Type.Array(ClosedObject({ cx: ChunkCoordinate, cz: ChunkCoordinate }), {
  minItems: 1,
  maxItems: 4096,
})

const ClipPlane = ClosedObject({ enabled: Type.Boolean(), flipped: Type.Boolean(), pos: Type.Number() })

/** The planes at which the editor cuts the zone open. They do not change the game. */
export const ClipPlanes = ClosedObject({ x: ClipPlane, y: ClipPlane, z: ClipPlane })

/** The editor's palettes: up to 10 pages of up to 10 slots, each a block id or empty. */
export const ShortcutBarPages = Type.Array(
  Type.Array(Type.Union([Type.String({ minLength: 1, maxLength: 64 }), Type.Null()]), { maxItems: 10 }),
  { maxItems: 10 },
)

const ShownText = Type.String({ minLength: 1, maxLength: 200 })
const Instant = Type.String({ format: 'date-time' })

/** The rules for building in a zone and entering it, with messages for players. */
export const ZoneRules = ClosedObject(
  {
    build: Type.Union([Type.Literal('permission'), Type.Literal('members'), Type.Literal('everyone'), Type.Literal('nobody')]),
    enter: Type.Union([Type.Literal('everyone'), Type.Literal('members')]),
    greeting: Type.Optional(ShownText),
    farewell: Type.Optional(ShownText),
  },
  { description: 'Default: build `permission`, enter `everyone`.' },
)
export type ZoneRules = Static<typeof ZoneRules>

export const membersMax = 200

/** PlayerIds. */
export const ZoneMembers = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
  maxItems: membersMax,
  description: 'PlayerIds, at most 200; absent: none.',
})

const timePattern = '([01]\\d|2[0-3]):[0-5]\\d'
const timeZonePattern = '[A-Za-z][A-Za-z0-9_+/-]{0,59}'
const TimeOfDay = Type.String({ pattern: `^${timePattern}$`, examples: ['18:00'] })
const Weekday = Type.Union([
  Type.Literal('mon'),
  Type.Literal('tue'),
  Type.Literal('wed'),
  Type.Literal('thu'),
  Type.Literal('fri'),
  Type.Literal('sat'),
  Type.Literal('sun'),
])

/** The hours of every week in which a zone is active. */
export const ZoneHours = Type.Array(
  ClosedObject({
    days: Type.Array(Weekday, { minItems: 1, maxItems: 7, uniqueItems: true, description: 'The days on which the hours begin.' }),
    from: TimeOfDay,
    to: TimeOfDay,
  }),
  {
    minItems: 1,
    maxItems: 21,
    examples: [[{ days: ['fri', 'sat'], from: '18:00', to: '23:00' }]],
    description:
      'Outside these hours the zone is inactive. Default: always open. If `to` is at or before `from`, the hours end on the next day. If summer time skips a local time, the next one counts. A local time that occurs twice counts once.',
  },
)

/** Resets the blocks of a zone to a snapshot, repeatedly. */
export const ZoneReset = ClosedObject({
  snapshot: Type.String({ format: 'uuid', description: 'The id of a snapshot of the zone.' }),
  every: Type.String({
    pattern: `^(\\d{1,5}[smhdw]|day at ${timePattern}( ${timeZonePattern})?)$`,
    maxLength: 80,
    description:
      'How often: 10m to 52w, counted from when the node of the world reads the setting. Or daily: `day at 06:00` in the `timeZone` of the zone, `day at 06:00 Europe/Berlin` in another one.',
    examples: ['1d', 'day at 06:00', 'day at 06:00 Europe/Berlin'],
  }),
})
export type ZoneReset = Static<typeof ZoneReset>

/** When a zone is active, when it expires, and how often its blocks are reset. */
export const ZoneSchedule = ClosedObject(
  {
    opensAt: Type.Optional(Instant),
    closesAt: Type.Optional(Instant),
    expiresAt: Type.Optional(Instant),
    hours: Type.Optional(ZoneHours),
    timeZone: Type.Optional(
      Type.String({
        pattern: `^${timeZonePattern}$`,
        description: 'IANA name of the time zone of `hours` and of a daily reset. Default: UTC.',
        examples: ['Europe/Berlin'],
      }),
    ),
    reset: Type.Optional(ZoneReset),
  },
  { examples: [{ hours: [{ days: ['fri', 'sat'], from: '18:00', to: '23:00' }], timeZone: 'Europe/Berlin' }] },
)
export type ZoneSchedule = Static<typeof ZoneSchedule>

/** The schedule of a zone, without absent fields. */
export const scheduleOf = ({ opensAt, closesAt, expiresAt, hours, timeZone, reset }: ZoneSchedule): ZoneSchedule => ({
  ...(opensAt !== undefined && { opensAt }),
  ...(closesAt !== undefined && { closesAt }),
  ...(expiresAt !== undefined && { expiresAt }),
  ...(hours !== undefined && { hours }),
  ...(timeZone !== undefined && { timeZone }),
  ...(reset !== undefined && { reset }),
})

/** An area over generated columns of a world: blocks from `yMin` to `yMax`, both included. */
export const Zone = ClosedObject({
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  world: WorldName,
  yMin: Height,
  yMax: Height,
  chunks: ZoneChunks,
  /** A disabled zone has no effect on players. */
  enabled: Type.Boolean(),
  clipPlanes: ClipPlanes,
  shortcutBarPages: ShortcutBarPages,
  owner: Type.String({ description: 'The playerId of the owner, initially of the account that created the zone.' }),
  createdAt: Type.String({ format: 'date-time' }),
  updatedAt: Type.String({ format: 'date-time' }),
  rules: Type.Optional(ZoneRules),
  members: Type.Optional(ZoneMembers),
  ...ZoneSchedule.properties,
})
export type Zone = Static<typeof Zone>
export type ZoneChunks = Static<typeof ZoneChunks>
export type ClipPlanes = Static<typeof ClipPlanes>
export type ShortcutBarPages = Static<typeof ShortcutBarPages>

/** By id. */
export const zoneRecords = createCollection('zones', Zone)

/** A stored zone. For an unreadable record, only its world, if that can be read. */
export type FoundZone = { readonly zone: Zone } | { readonly zone: undefined; readonly world: string | undefined }

const parseZone = createParser(Zone)
const parseWorld = createParser(Type.Object({ world: WorldName }))

/** The records of `zoneRecords`, for readers that must not fail on an unreadable record. */
export const foundZones: Collection<FoundZone> = {
  name: zoneRecords.name,
  parse: (stored) => {
    const zone = parseZone(stored)
    if (zone.ok) return { zone: zone.value }
    const place = parseWorld(stored)
    return { zone: undefined, world: place.ok ? place.value.world : undefined }
  },
}
