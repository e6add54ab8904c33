import { signal } from '@preact/signals'
import { ProblemError } from '../../sdk/auth.ts'
import { call } from './api.ts'
import { mayDo } from './session.ts'

/** A zone that does not exist has no name. */
type Known = { readonly name?: string; readonly loadedAt: number }

/** Zones by id, as far as loaded. */
const known = signal<ReadonlyMap<string, Known>>(new Map())

const nameMaxAgeMs = 15_000
/** Requests at once. The other zones follow with the next call. */
const zonesMax = 20

/** The name of a zone, `null` if it was deleted, and undefined while it is not loaded. */
export const zoneNameOf = (id: string): string | null | undefined => {
  const zone = known.value.get(id)
  return zone === undefined ? undefined : (zone.name ?? null)
}

/** Loads the names of zones, and old names again: a zone can be renamed or deleted while the page is open. */
export const learnZones = async (ids: readonly string[], aborted: AbortSignal): Promise<void> => {
  if (!mayDo('admin.instances.read')) return
  const loadedAt = Date.now()
  const old = [...new Set(ids)].filter((id) => loadedAt - (known.peek().get(id)?.loadedAt ?? 0) > nameMaxAgeMs)
  if (old.length === 0) return
  const names = new Map<string, Known>()
  await Promise.all(
    old.slice(0, zonesMax).map(async (id) => {
      try {
        const { name } = (await call('GET /api/admin/instances/{id}', { params: { id }, signal: aborted })).body
        names.set(id, { name, loadedAt })
      } catch (error) {
        if (error instanceof ProblemError && error.problem.status === 404) names.set(id, { loadedAt })
      }
    }),
  )
  known.value = new Map([...known.peek(), ...names])
}
