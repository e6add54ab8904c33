import { compareKeys, enterGame, keysOf, runCommand, type Scene, type WriteKind } from '../written.ts'

const kind = 'place'
const key = `${kind} boss`
const reachBlocks = 12

const enter = (scene: Scene) => enterGame(scene, scene.token)

const placeOf = (position: unknown) => {
  const { x = 0, z = 0 }: { x?: number; z?: number } = typeof position === 'object' && position !== null ? position : {}
  return { x, z }
}

/** Where a player is when `/save` has answered; before that a place may be lost. */
export const places: WriteKind = {
  name: kind,
  stream: async (scene) => {
    const client = await enter(scene)
    scene.ledger.ask(key, placeOf(client.welcome.position))
    for (let seq = 1; scene.isOn() && client.isOpen(); seq += 2) {
      const place = { x: scene.random.int(-reachBlocks, reachBlocks) + 0.5, z: scene.random.int(-reachBlocks, reachBlocks) + 0.5 }
      scene.ledger.ask(key, place)
      const moved = await runCommand(client, `/tp ${place.x} 64 ${place.z}`, seq)
      if (moved?.ok !== true) continue
      if ((await runCommand(client, '/save', seq + 1))?.ok === true) scene.ledger.acknowledge(key, place)
    }
    client.terminate()
  },
  compare: async (scene, all) => {
    const keys = keysOf(scene, kind, all)
    if (keys.length === 0) return []
    const client = await enter(scene)
    client.terminate()
    return compareKeys(scene, keys, () => placeOf(client.welcome.position))
  },
}
