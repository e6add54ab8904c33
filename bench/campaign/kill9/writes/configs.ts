import { createConfigApi } from '../../../../test/e2e/support/config-api.ts'
import { compareKeys, keysOf, type Scene, type WriteKind } from '../written.ts'

const kind = 'config'

/** Large enough to reveal a partial write. */
const paddingOf = (number: number): string => `# ${String(number).padStart(8, '0').repeat(12)}\n`.repeat(600)

const texts: Readonly<Record<string, (number: number) => string>> = {
  'groups.yaml': (number) =>
    `# Text ${number}.\n${paddingOf(number)}groups:\n  - { name: player, permissions: [world.build, command.who, command.world, command.zone.list] }\n  - { name: builder, inherits: [player], permissions: [zone.build, command.tp, command.who] }\n  - { name: moderator, inherits: [builder], permissions: [command.say] }\n  - { name: made-${number}, permissions: [command.who] }\n`,
  'worldgen.yaml': (number) =>
    `# Text ${number}.\n${paddingOf(number)}generator: flat-1\nflat: { layers: [{ block: stone, height: 63 }, { block: grass, height: 1 }] }\n`,
}

const save = async (scene: Scene, name: string): Promise<void> => {
  const text = texts[name]?.(scene.nextNumber()) ?? ''
  const key = `${kind} ${name}`
  scene.ledger.ask(key, text)
  const answer = await scene.write(`PUT /api/admin/configs/${name}`, { yaml: text })
  if (answer?.status === 200) scene.ledger.acknowledge(key, text)
  else if (answer !== undefined) throw new Error(`${name} was refused with ${answer.status} ${JSON.stringify(answer.body)}`)
}

/** Config files, including groups. */
export const configs: WriteKind = {
  name: kind,
  stream: async (scene) => {
    const api = createConfigApi(scene.house.url(), scene.token)
    // Until the first save is acknowledged, it keeps its original text.
    for (const name of Object.keys(texts)) {
      const { status, text } = await api.read(name)
      if (status !== 200) return
      scene.ledger.ask(`${kind} ${name}`, text)
    }
    while (scene.isOn()) await save(scene, scene.random.pick(Object.keys(texts)))
  },
  compare: async (scene, all) => {
    const api = createConfigApi(scene.house.url(), scene.token)
    return compareKeys(scene, keysOf(scene, kind, all), async (key) => (await api.read(key.slice(kind.length + 1))).text)
  },
}
