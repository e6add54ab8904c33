import { signal } from '@preact/signals'
import { call } from '../../state/api.ts'

/** Names of blocks.yaml by id, as far as they were read. */
const names = signal<ReadonlyMap<string, string>>(new Map([['air', 'Air']]))

/** What a kind of block is called: by blocks.yaml, or by its id where that no longer has it. */
export const blockName = (id: string): string => names.value.get(id) ?? id

/** Reads the names; where that fails, ids are shown. */
export const learnBlockNames = async (signal: AbortSignal): Promise<void> => {
  const kinds = await call('GET /api/admin/blocks', { signal }).catch(() => undefined)
  if (kinds === undefined) return
  names.value = new Map([...names.peek(), ...kinds.body.map(({ id, name }): [string, string] => [id, name])])
}
