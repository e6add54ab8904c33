import { ask } from '../../../../test/e2e/support/api.ts'
import { compareKeys, keysOf, type WriteKind } from '../written.ts'

const kind = 'world'
/** Each world keeps a folder forever. */
const worldsMax = 40

/** Worlds, created rarely. */
export const worlds: WriteKind = {
  name: kind,
  stream: async (scene) => {
    if (scene.ledger.all(kind).length >= worldsMax || !scene.random.chance(0.3)) return
    const name = `made-${scene.nextNumber()}`
    const value = { name, seed: scene.random.int(0, 1_000_000) }
    scene.ledger.ask(`${kind} ${name}`, value)
    const answer = await scene.write('POST /api/admin/worlds', { body: value })
    if (answer?.status === 201) scene.ledger.acknowledge(`${kind} ${name}`, value)
  },
  compare: async (scene, all) => {
    const { text } = await ask(scene.house.url(), 'GET /api/admin/worlds', { token: scene.token })
    const there: readonly { name: string; seed: number }[] = JSON.parse(text)
    return compareKeys(scene, keysOf(scene, kind, all), (key) => {
      const world = there.find(({ name }) => name === key.slice(kind.length + 1))
      return world === undefined ? null : { name: world.name, seed: world.seed }
    })
  },
}
