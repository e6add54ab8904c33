import { createHash } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { Zone } from '../../shared/zones/zone.ts'
import type { ListedZone, VersionedZone } from '../../shared/zones/zone-service.ts'
import { ok } from '../http/route.ts'

/** A zone as it is read: with a warning where its blocks cannot be. */
export const ZoneView = ClosedObject({
  ...Zone.properties,
  warning: Type.Optional(
    Type.String({ description: 'Why its blocks cannot be read: its world is gone or damaged, or does not have its columns.' }),
  ),
})

/** The zone, with its warning where there is one. */
export const viewZone = ({ zone, warning }: ListedZone) => (warning === undefined ? zone : { ...zone, warning })

const separator = '~'

/** A strong entity tag without quotes: the version, and what stands in the answer besides it. */
const zoneTag = ({ version, warning }: VersionedZone & ListedZone): string =>
  warning === undefined ? version : version + separator + createHash('sha256').update(warning).digest('base64url').slice(0, 16)

/** The version that an `If-Match` speaks of: a warning is no part of what a write could overwrite. */
export const versionOfTag = (tag: string | undefined): string | undefined => tag?.split(separator, 1)[0]

/** A 200 with the zone and its entity tag. */
export const okZone = (zone: VersionedZone & ListedZone) => ok(viewZone(zone), zoneTag(zone))
