import { ask } from '../../../../test/e2e/support/api.ts'
import { openFeedClient } from '../../../../test/support/feeds/feed-client.ts'
import { waitFor } from '../../../../test/support/time/wait-for.ts'
import { compareKeys, keysOf, type Scene, type WriteKind } from '../written.ts'

const kind = 'feed'
const column = { cx: 1, cz: 1 }
const types = ['stone', 'dirt', 'planks', 'air'] as const
const height = 100
/** A busy machine generates the column a while after a player has joined. */
const zoneMsMax = 60_000

type BlockPosition = { readonly x: number; readonly y: number; readonly z: number }
const keyOf = ({ x, y, z }: BlockPosition): string => `${kind} ${x} ${y} ${z}`

/** The zone of the feed, created if missing; its column is generated a moment after the first player has seen it. */
export const findFedZone = async ({ house, token }: Scene): Promise<string> => {
  const body = { name: 'Fed', yMin: 0, yMax: 200, chunks: [column] }
  let id = ''
  await waitFor(async () => {
    const { status, text } = await ask(house.url(), 'GET /api/admin/instances', { token })
    // A store that is briefly slow is not a finding.
    if (status === 503) return false
    const zones: readonly { id: string; name: string }[] = JSON.parse(text)
    id = zones.find(({ name }) => name === body.name)?.id ?? ''
    if (id === '') await ask(house.url(), 'POST /api/admin/instances', { token, body })
    return id !== ''
  }, zoneMsMax)
  return id
}

const open = async (scene: Scene) => {
  const feed = await openFeedClient(
    `${scene.house.url().replace('http', 'ws')}/api/admin/ws/instances/${await findFedZone(scene)}`,
    { token: scene.token },
  )
  await feed.next('zone')
  return feed
}

/** Blocks that an editor changes through the feed of a zone, read from the listing of its blocks. */
export const feedEdits: WriteKind = {
  name: kind,
  stream: async (scene) => {
    const feed = await open(scene)
    for (let ref = 1; scene.isOn() && feed.isOpen(); ref += 1) {
      const x = 16 + scene.random.int(0, 15)
      const edits = Array.from({ length: 16 }, (_, z) => ({ x, y: height, z: 16 + z, type: scene.random.pick(types) }))
      for (const edit of edits) scene.ledger.ask(keyOf(edit), edit.type === 'air' ? null : edit.type)
      feed.send({ type: 'edit', ref, edits })
      const find = () => feed.received.find((message) => message.type === 'result' && message.ref === ref)
      await waitFor(() => find() !== undefined || !feed.isOpen())
      const result = find()
      if (result?.ok === true)
        for (const edit of edits) scene.ledger.acknowledge(keyOf(edit), edit.type === 'air' ? null : edit.type)
      else if (result !== undefined) for (const edit of edits) scene.ledger.refuse(keyOf(edit))
    }
    feed.terminate()
  },
  compare: async (scene, all) => {
    const keys = keysOf(scene, kind, all)
    const zone = await findFedZone(scene)
    const { status, text } = await ask(scene.house.url(), `GET /api/admin/instances/${zone}/blocks`, { token: scene.token })
    if (status !== 200) return [`the blocks of the zone answered ${status} ${text.slice(0, 200)}`]
    const blocks: readonly (BlockPosition & { type: string })[] = text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
    const found = new Map(blocks.map((block) => [keyOf(block), block.type]))
    return compareKeys(scene, keys, (key) => found.get(key) ?? null)
  },
}

/** Returns the milliseconds until a feed opens; throws the refusal. */
export const untilFeedOpens = async (scene: Scene): Promise<number> => {
  const beganMs = performance.now()
  const feed = await open(scene)
  feed.terminate()
  return performance.now() - beganMs
}
