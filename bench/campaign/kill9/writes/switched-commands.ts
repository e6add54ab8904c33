import { compareKeys, enterGame, isLive, keysOf, runCommand, type Scene, type WriteKind } from '../written.ts'

const kind = 'switch'
const names = ['who', 'world', 'zones'] as const

const enter = async (scene: Scene) => enterGame(scene, await scene.house.stage.signIn(scene.house.url(), 'switcher@example.com'))

/** Commands that a player switches off and on for themselves. */
export const switchedCommands: WriteKind = {
  name: kind,
  stream: async (scene) => {
    const game = await enter(scene)
    while (scene.isOn() && isLive(game)) {
      const name = scene.random.pick(names)
      const value = scene.random.chance(0.5) ? 'off' : null
      scene.ledger.ask(`${kind} ${name}`, value)
      const result = await runCommand(game, `/command:${value === 'off' ? 'disable' : 'enable'} ${name}`)
      if (result?.ok === true) scene.ledger.acknowledge(`${kind} ${name}`, value)
      else if (result !== undefined) throw new Error(`/command:… ${name} was refused: ${result.text}`)
    }
    game.session.drop()
  },
  compare: async (scene, all) => {
    const keys = keysOf(scene, kind, all)
    if (keys.length === 0) return []
    const { session } = await enter(scene)
    const offered = new Set(session.welcome().commands.map(({ name }) => name))
    session.drop()
    return compareKeys(scene, keys, (key) => (offered.has(key.slice(kind.length + 1)) ? null : 'off'))
  },
}
