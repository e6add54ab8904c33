import type { Game } from '../../../../sdk/examples/terminal/commands.ts'
import { compareKeys, enterGame, isLive, keysOf, runCommand, type Scene, type WriteKind } from '../written.ts'

const kind = 'place'
const key = `${kind} boss`
const reachBlocks = 12

const enter = (scene: Scene) => enterGame(scene, scene.token)

/** The position of a player after joining. */
const positionOf = ({ session }: Game) => {
  const { x = 0, z = 0 } = session.welcome().position ?? {}
  return { x, z }
}

/** The position of a player when `/save` has answered; earlier positions may be lost. */
export const places: WriteKind = {
  name: kind,
  stream: async (scene) => {
    const game = await enter(scene)
    // A player without a stored position appears at any free place, perhaps another one after a kill.
    let isSaved = false
    while (scene.isOn() && isLive(game) && !isSaved) isSaved = (await runCommand(game, '/save'))?.ok === true
    if (isSaved) scene.ledger.acknowledge(key, positionOf(game))
    while (scene.isOn() && isLive(game) && isSaved) {
      const place = { x: scene.random.int(-reachBlocks, reachBlocks) + 0.5, z: scene.random.int(-reachBlocks, reachBlocks) + 0.5 }
      scene.ledger.ask(key, place)
      const moved = await runCommand(game, `/tp ${place.x} 64 ${place.z}`)
      if (moved?.ok !== true) continue
      if ((await runCommand(game, '/save'))?.ok === true) scene.ledger.acknowledge(key, place)
    }
    game.session.drop()
  },
  compare: async (scene, all) => {
    const keys = keysOf(scene, kind, all)
    if (keys.length === 0) return []
    const game = await enter(scene)
    game.session.drop()
    return compareKeys(scene, keys, () => positionOf(game))
  },
}
