import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { type BlockEdit, connect, type Session, signIn } from '../../sdk/client.ts'
import { type WatchedWorld, watchWorld } from '../../sdk/world.ts'

type Builder = { readonly session: Session; readonly world: WatchedWorld; readonly leave: () => Promise<void> }
type Spot = { readonly x: number; readonly y: number; readonly z: number }

const join = async (url: string, email: string): Promise<Builder> => {
  const me = await signIn({ url, email })
  const session = await connect(me, { WebSocket, clientName: 'screenshots' })
  const world = watchWorld(session)
  const leave = async (): Promise<void> => {
    await session.close()
    me.close()
  }
  return { session, world, leave }
}

/** Removes plants above a builder, within reach. */
const clearAbove = async ({ session, world }: Builder): Promise<void> => {
  const { x, y, z } = world.mover.position()
  const above = [2, 3, 4, 5, 6, 7].map((dy) => ({ x: Math.floor(x), y: Math.floor(y) + dy, z: Math.floor(z), type: 'air' }))
  await session.edit(above.filter((at) => world.blocks.blockAt(at.x, at.y, at.z)?.solid === true))
}

type Look = { readonly yaw: number; readonly pitch: number }

/** Flies up, across and down again, until the server has the builder there. */
const fly = async (builder: Builder, to: Spot, look: Look): Promise<void> => {
  let fault: unknown
  for (let attempt = 0; attempt < 10; attempt += 1) {
    // A builder who was corrected on the way starts again from there.
    await flyOnce(builder, to, look).catch((error: unknown) => {
      fault = error
    })
    await builder.session.ping()
    const { x, y, z } = builder.world.mover.position()
    if (Math.hypot(x - to.x, y - to.y, z - to.z) < 0.1) return
  }
  throw new Error(`never came to ${JSON.stringify(to)}`, { cause: fault })
}

const flyOnce = async (builder: Builder, to: Spot, look: Look): Promise<void> => {
  const { world } = builder
  const go = async (place: Partial<Spot> & { readonly yaw?: number; readonly pitch?: number }): Promise<void> => {
    for (let attempt = 0; attempt < 20; attempt += 1) {
      if (world.moveTo(place) === undefined) return
      await pause(100)
    }
    throw new Error(`no way to ${JSON.stringify(place)}: ${world.moveTo(place)}`)
  }
  const high = 130
  for (let y = world.mover.position().y; y < high; y = world.mover.position().y) {
    const rise = y < 100 ? 3 : 12
    if (world.mover.refusalOf({ y: y + rise }, Date.now()) === 'blocked') await clearAbove(builder)
    await go({ y: Math.min(high, y + rise) })
  }
  for (;;) {
    const { x, z } = world.mover.position()
    const left = Math.hypot(to.x - x, to.z - z)
    if (left < 0.01) break
    const part = Math.min(1, 5 / left)
    await go({ x: x + (to.x - x) * part, z: z + (to.z - z) * part })
  }
  // Continue from any corrected position.
  for (let y = world.mover.position().y; y > to.y; y = world.mover.position().y) await go({ y: Math.max(to.y, y - 12), ...look })
}

const waitForLand = async ({ world }: Builder): Promise<void> => {
  while (world.blocks.columnCount() < 200) await pause(50)
}

/** The most level grass of that width in the loaded columns. */
const findMeadow = ({ world }: Builder, width: number): Spot => {
  const { x: fromX, z: fromZ } = world.mover.position()
  let best: { spot: Spot; cost: number } | undefined
  for (let x = Math.floor(fromX) - 80; x < fromX + 80; x += 4)
    for (let z = Math.floor(fromZ) - 80; z < fromZ + 80; z += 4) {
      const tops: number[] = []
      let cost = Math.hypot(x - fromX, z - fromZ) / 100
      // From the camera to the far side of the hut.
      for (let dx = -10; dx < width; dx += 2)
        for (let dz = -2; dz < width + 4; dz += 2) {
          const top = world.blocks.findTop(x + dx, z + dz) ?? 0
          tops.push(top)
          const id = world.blocks.blockAt(x + dx, top, z + dz)?.id ?? ''
          if (!/^(grass|tall_grass|flower)$/.test(id)) cost += 4
        }
      cost += Math.max(...tops) - Math.min(...tops)
      if (best === undefined || cost < best.cost) best = { spot: { x, y: Math.max(...tops) + 1, z }, cost }
    }
  if (best === undefined) throw new Error('there is no land')
  return best.spot
}

/** A hut of planks and logs with windows, a door, and a light. */
const listHut = ({ x, y, z }: Spot): readonly BlockEdit[] => {
  const edits: BlockEdit[] = []
  const put = (dx: number, dy: number, dz: number, type: string) => edits.push({ x: x + dx, y: y + dy, z: z + dz, type })
  for (let dx = -2; dx <= 2; dx += 1)
    for (let dz = -2; dz <= 2; dz += 1) {
      put(dx, -1, dz, 'cobblestone')
      const isCorner = Math.abs(dx) === 2 && Math.abs(dz) === 2
      const isWall = Math.abs(dx) === 2 || Math.abs(dz) === 2
      for (let dy = 0; dy < 3; dy += 1) {
        const isDoor = dx === -2 && dz === 0 && dy < 2
        const isWindow = isWall && !isCorner && dy === 1 && (dx === 0 || dz === 0) && dx !== -2
        put(dx, dy, dz, isDoor || !isWall ? 'air' : isCorner ? 'oak_log' : isWindow ? 'glass' : 'planks')
      }
      put(dx, 3, dz, isWall ? 'bricks' : 'glass')
    }
  put(-3, 2, -1, 'glowstone')
  put(-3, 2, 1, 'glowstone')
  for (const [dx, dz, type] of [
    [-4, -3, 'flower'],
    [-5, 2, 'flower'],
    [-3, 3, 'tall_grass'],
    [-6, -1, 'tall_grass'],
    [-4, 4, 'flower'],
    [3, -4, 'flower'],
  ] as const)
    put(dx, 0, dz, type)
  return edits
}

const build = async ({ session }: Builder, edits: readonly BlockEdit[]): Promise<void> => {
  for (let from = 0; from < edits.length; from += 100) {
    const { ok, reason } = await session.edit(edits.slice(from, from + 100))
    if (!ok) throw new Error(`not built: ${reason}`)
    await pause(200)
  }
}

/**
 * Builds a scene in the running server at `url`: a hut with two people beside it, and `email` at the best viewpoint. The returned
 * function ends the sessions of the two.
 */
export const buildScene = async (url: string, email: string): Promise<() => Promise<void>> => {
  const mira = await join(url, 'mira@example.com')
  await waitForLand(mira)
  const meadow = findMeadow(mira, 10)
  const hut = { x: meadow.x + 4, y: meadow.y, z: meadow.z + 4 }
  await fly(mira, { x: hut.x + 0.5, y: hut.y + 4.1, z: hut.z + 0.5 }, { yaw: 180, pitch: 0 })
  const reachable = listHut(hut).filter(({ x, z }) => Math.abs(x - hut.x) <= 4 && Math.abs(z - hut.z) <= 4)
  await build(mira, reachable)
  await fly(mira, { x: hut.x - 4.5, y: hut.y, z: hut.z - 0.5 }, { yaw: 200, pitch: -5 })
  const jonas = await join(url, 'jonas@example.com')
  await waitForLand(jonas)
  await fly(jonas, { x: hut.x - 4.6, y: hut.y, z: hut.z + 3.4 }, { yaw: 300, pitch: 10 })
  const camera = await join(url, email)
  await waitForLand(camera)
  const away = { x: hut.x - 11.5, y: hut.y + 1, z: hut.z + 6.5 }
  await fly(camera, away, { yaw: 329, pitch: 3 })
  await pause(1_500)
  await camera.leave()
  return async () => {
    await mira.leave()
    await jonas.leave()
  }
}
