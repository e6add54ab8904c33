import { createCall } from '../../sdk/admin.ts'
import { serverUrl } from './account.ts'

const worldName = 'gatehouse.play.world'
const isName = (world: string): boolean => /^[\w-]{1,64}$/.test(world)

/** Names of the worlds that some node runs; none where the server cannot tell. */
export const listWorlds = async (): Promise<readonly string[]> => {
  try {
    const { body } = await createCall({ url: serverUrl() })('GET /api/realtime/nodes')
    return [...new Set(body.items.map(({ world }) => world))].sort()
  } catch {
    return []
  }
}

/** The world that this tab plays in; empty for whichever the server takes. */
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
    // Without storage one plays in the usual one.
  }
}
