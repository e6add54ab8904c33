import { createHash } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { MarkedZone, markZone } from '../../shared/domain/zones/marked-zone.ts'
import type { ListedZone, VersionedZone } from '../../shared/domain/zones/zone-service.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import type { HttpDeps } from '../deps.ts'
import { ok, type Reply } from '../http/route.ts'

/** A zone as clients read it: with a warning if its blocks cannot be read. */
export const ZoneView = ClosedObject({
  ...MarkedZone.properties,
  warning: Type.Optional(
    Type.String({ description: 'Why its blocks cannot be read: its world is deleted or damaged, or does not have its columns.' }),
  ),
})

type Marked = { readonly zone: MarkedZone; readonly warning?: string }

/** The zone, with its warning if there is one. */
export const viewZone = ({ zone, warning }: Marked) => (warning === undefined ? zone : { ...zone, warning })

const separator = '~'

/** A strong entity tag without quotes: the version, and everything in the answer besides the record. */
const tagOf = (version: string, { zone, warning = '' }: Marked): string => {
  const marks = zone.ownerGone === true ? `ownerGone ${warning}` : warning
  return marks === '' ? version : version + separator + createHash('sha256').update(marks).digest('base64url').slice(0, 16)
}

/** The version in an `If-Match`. Warnings do not count, because no write changes them. */
export const versionOfTag = (tag: string | undefined): string | undefined => tag?.split(separator, 1)[0]

/** A 200 with the zone and its entity tag. */
export const okZone = async (
  { accountStore }: Pick<HttpDeps, 'accountStore'>,
  { zone, version, warning }: VersionedZone & ListedZone,
): Promise<Reply> => {
  const marked = { zone: await markZone(accountStore, zone), ...(warning !== undefined && { warning }) }
  return ok(viewZone(marked), tagOf(version, marked))
}
