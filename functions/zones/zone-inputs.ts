import { Type } from '@sinclair/typebox'
import { membersMax, Zone, ZoneRules, ZoneSchedule } from '../../shared/domain/zones/zone.ts'
import { PlayerId } from '../accounts/account-inputs.ts'

/** A zone by its id. */
export const ZoneParams = Type.Object({ id: Type.String({ format: 'uuid' }) })

/** The parts of a zone that a body can have. */
const ZoneParts = {
  name: Type.String({ description: 'Trimmed: 1 to 64 visible characters.' }),
  yMin: { ...Zone.properties.yMin, description: 'The lowest height, included; below `yMax`.' },
  yMax: { ...Zone.properties.yMax, description: 'The highest height, included.', examples: [255] },
  chunks: { ...Zone.properties.chunks, description: 'The columns, each once. All of them must be generated.' },
}

const closed = { additionalProperties: false }

export const NewZoneBody = Type.Object({ ...ZoneParts, world: Type.Optional(Zone.properties.world) }, closed)
export const NameBody = Type.Object({ name: ZoneParts.name }, closed)
export const NameOwnerBody = Type.Object(
  {
    name: Type.Optional(ZoneParts.name),
    owner: Type.Optional({ ...PlayerId, description: 'The playerId of the account that owns the zone.' }),
  },
  { ...closed, minProperties: 1 },
)
export const BoundsBody = Type.Object({ yMin: ZoneParts.yMin, yMax: ZoneParts.yMax }, closed)
export const ChunksBody = Type.Object({ chunks: ZoneParts.chunks }, closed)
export const EnabledBody = Type.Pick(Zone, ['enabled'], closed)
export const LayoutBody = Type.Pick(Zone, ['clipPlanes', 'shortcutBarPages'], closed)
export const RulesBody = Type.Partial(ZoneRules, closed)
export const MembersBody = Type.Array(PlayerId, { maxItems: membersMax, description: 'PlayerIds of accounts.' })
export const ScheduleBody = ZoneSchedule
export const ZonesQuery = Type.Object({ world: Type.Optional(Zone.properties.world) }, closed)
