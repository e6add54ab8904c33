import { createCall } from '../../sdk/admin.ts'
import { serverUrl } from './account.ts'

const worldName = 'gatehouse.play.world'
const isName = (world: string): boolean => /^[\w-]{1,64}$/.test(world)

/** The names of the running worlds; empty if the server cannot list them. */
export const listWorlds = async (): Promise<readonly string[]> => {
  try {
    const { body } = await createCall({ url: serverUrl() })('GET /api/realtime/nodes')
    return [...new Set(body.items.map(({ world }) => world))].sort()
  } catch {
    return []
  }
}

/** The world of this tab; empty for the server's default. */
export const findWorld = (): string => {
  try {
    const kept = sessionStorage.getItem(worldName) ?? ''
    return isName(kept) ? kept : ''
  } catch {
    return ''
  }
}

export const keepWorld = (world: string): void => {
  try {
    if (world === '') sessionStorage.removeItem(worldName)
    else if (isName(world)) sessionStorage.setItem(worldName, world)
  } catch {
    // Without storage the tab uses the default world.
  }
}
