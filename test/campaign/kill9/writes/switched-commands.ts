import { compareKeys, enterGame, keysOf, runCommand, type Scene, type WriteKind } from '../written.ts'

const kind = 'switch'
const names = ['who', 'world', 'zones'] as const

const enter = async (scene: Scene) => enterGame(scene, await scene.house.stage.signIn(scene.house.url(), 'switcher@example.com'))

/** Commands that a player switches off and on for themselves. */
export const switchedCommands: WriteKind = {
  name: kind,
  stream: async (scene) => {
    const client = await enter(scene)
    for (let seq = 1; scene.isOn() && client.isOpen(); seq += 1) {
      const name = scene.random.pick(names)
      const value = scene.random.chance(0.5) ? 'off' : null
      scene.ledger.ask(`${kind} ${name}`, value)
      const result = await runCommand(client, `/command:${value === 'off' ? 'disable' : 'enable'} ${name}`, seq)
      if (result?.ok === true) scene.ledger.acknowledge(`${kind} ${name}`, value)
      else if (result !== undefined) throw new Error(`/command:… ${name} was refused: ${String(result.text)}`)
    }
    client.terminate()
  },
  compare: async (scene, all) => {
    const keys = keysOf(scene, kind, all)
    if (keys.length === 0) return []
    const client = await enter(scene)
    const { commands } = client.welcome
    const offered = new Set(Array.isArray(commands) ? commands.map(({ name }) => name) : [])
    client.terminate()
    return compareKeys(scene, keys, (key) => (offered.has(key.slice(kind.length + 1)) ? null : 'off'))
  },
}
