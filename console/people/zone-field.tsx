import { useState } from 'preact/hooks'
import type { Answer } from '../../sdk/admin.ts'
import { GatehouseError } from '../../sdk/auth.ts'
import { Field } from '../parts/field.tsx'
import { call } from '../state/api.ts'
import { useLoad } from '../state/load.ts'
import { mayDo } from '../state/session.ts'
import { words } from '../words.ts'

type Zone = Answer<'GET /api/admin/instances'>['body'][number]

const offeredMax = 50

const isMeant = ({ id, name }: Zone, typed: string): boolean => id === typed || name.toLowerCase() === typed.toLowerCase()

/** The id of a zone by its name or id; undefined for an empty text. Throws GatehouseError if none or several match. */
export const readZone = (typed: string, zones: readonly Zone[]): string | undefined => {
  if (typed === '') return undefined
  const meant = zones.filter((zone) => isMeant(zone, typed))
  const [one] = meant
  if (one !== undefined && meant.length === 1) return one.id
  throw new GatehouseError('zone-unclear', meant.length === 0 ? words.grants.noZone(typed) : words.grants.someZones(typed))
}

/** All zones that the user can read, loaded on demand because there may be ten thousand. */
export const useZones = (): readonly Zone[] => {
  const zones = useLoad(
    async (signal) => (mayDo('admin.instances.read') ? (await call('GET /api/admin/instances', { signal })).body : []),
    [],
  )
  return zones.value ?? []
}

/** A field for a zone name that suggests the first matches. */
export const ZoneField = ({ zones }: { readonly zones: readonly Zone[] }) => {
  const [typed, setTyped] = useState('')
  const wanted = typed.trim().toLowerCase()
  const offered: Zone[] = []
  for (const zone of zones) {
    if (offered.length === offeredMax) break
    if (zone.name.toLowerCase().includes(wanted)) offered.push(zone)
  }
  return (
    <Field label={words.grants.zone} hint={words.grants.zoneHint}>
      <input
        name="zone"
        list="grant-zones"
        maxLength={128}
        autocomplete="off"
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <datalist id="grant-zones">
        {offered.map(({ id, name, world }) => (
          <option key={id} value={name}>
            {world}
          </option>
        ))}
      </datalist>
    </Field>
  )
}

/** The name of a zone; its id if the name is not known. */
export const ZoneName = ({ id }: { readonly id: string }) => {
  const name = useLoad(
    async (signal) =>
      mayDo('admin.instances.read')
        ? (await call('GET /api/admin/instances/{id}', { params: { id }, signal })).body.name
        : undefined,
    [id],
  )
  return <bdi>{name.value ?? id}</bdi>
}
