import { signal } from '@preact/signals'
import { call } from '../../state/api.ts'

/** Block names from blocks.yaml by id, as far as loaded. */
const names = signal<ReadonlyMap<string, string>>(new Map([['air', 'Air']]))

/** The name of a block kind in blocks.yaml; its id if it has none there. */
export const blockName = (id: string): string => names.value.get(id) ?? id

/** Loads the names. If that fails, ids are shown. */
export const learnBlockNames = async (signal: AbortSignal): Promise<void> => {
  const kinds = await call('GET /api/admin/blocks', { signal }).catch(() => undefined)
  if (kinds === undefined) return
  names.value = new Map([...names.peek(), ...kinds.body.map(({ id, name }): [string, string] => [id, name])])
}
