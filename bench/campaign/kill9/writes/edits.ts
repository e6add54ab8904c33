import { type Builder, createBuilder, type Placed } from '../../../../test/e2e/support/builder.ts'
import { compareKeys, enterGame, keysOf, type Scene, type WriteKind } from '../written.ts'

const kind = 'block'
const types = ['stone', 'dirt', 'planks', 'glass', 'air'] as const
const blocksAtOnce = 15

type BlockPosition = Omit<Placed, 'type'>

const keyOf = ({ x, y, z }: BlockPosition): string => `${kind} ${x} ${y} ${z}`
/** Air is the original block: null. */
const lastingOf = (type: string | undefined): string | null => (type === 'air' ? null : (type ?? 'nothing that a client knows'))

const enter = async (scene: Scene): Promise<Builder> => {
  const token = await scene.house.stage.signIn(scene.house.url(), 'builder@example.com')
  return createBuilder(await enterGame(scene, token))
}

const build = async (scene: Scene, builder: Builder, wall: readonly BlockPosition[]): Promise<void> => {
  while (scene.isOn() && builder.isOpen()) {
    const edits = wall.map((place) => ({ ...place, type: scene.random.pick(types) }))
    for (const edit of edits) scene.ledger.ask(keyOf(edit), lastingOf(edit.type))
    const answer = await builder.edit(edits)
    if (answer?.ok === true) for (const edit of edits) scene.ledger.acknowledge(keyOf(edit), lastingOf(edit.type))
    else if (answer !== undefined) for (const edit of edits) scene.ledger.refuse(keyOf(edit))
  }
}

/** Blocks that a player places and breaks, fifteen in each edit, several edits at once. */
export const edits: WriteKind = {
  name: kind,
  stream: async (scene) => {
    const builder = await enter(scene)
    await builder.look(builder.places)
    const walls = Array.from({ length: builder.places.length / blocksAtOnce }, (_, i) =>
      builder.places.slice(i * blocksAtOnce, (i + 1) * blocksAtOnce),
    )
    await Promise.all(walls.map((wall) => build(scene, builder, wall)))
    builder.session.drop()
  },
  compare: async (scene, all) => {
    const keys = keysOf(scene, kind, all)
    if (keys.length === 0) return []
    const builder = await enter(scene)
    const places = keys.map((key) => {
      const [x = 0, y = 0, z = 0] = key.split(' ').slice(1).map(Number)
      return { x, y, z }
    })
    const found = await builder.look(places)
    builder.session.drop()
    const byKey = new Map(keys.map((key, i) => [key, found[i]]))
    return compareKeys(scene, keys, (key) => lastingOf(byKey.get(key)))
  },
}
