import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { Job } from '../../../shared/domain/jobs/job.ts'
import { operatorActor } from '../../../shared/domain/jobs/job-service.ts'
import { restoreJob, snapshotJob } from '../../../shared/domain/jobs/snapshot-jobs.ts'
import { compileRules } from '../../../shared/domain/permissions/compile-rules.ts'
import { createBlockRegistry } from '../../../shared/domain/worlds/chunks/block-registry.ts'
import { decodeChunk } from '../../../shared/domain/worlds/chunks/decode-chunk.ts'
import { getBlock } from '../../../shared/rules/chunks/chunk.ts'
import { endOfJob } from '../../support/realtime/end-of-job.ts'
import { openNodesOfWorld } from '../../support/realtime/nodes-of-world.ts'
import type { RealtimeClient } from '../../support/realtime/realtime-client.ts'
import { waitFor } from '../../support/time/wait-for.ts'

let stage: Awaited<ReturnType<typeof openNodesOfWorld>>
let node: Awaited<ReturnType<typeof stage.start>>
/** While set, reads of columns wait for it. */
let gate: Promise<void> | undefined
let isReading = false
beforeAll(async () => {
  stage = await openNodesOfWorld()
  const { chunks } = stage.services
  const getMany: typeof chunks.getMany = async (...asked) => {
    isReading = true
    await gate
    return chunks.getMany(...asked)
  }
  node = await stage.start({}, { ...stage.services, chunks: { ...chunks, getMany } })
})
afterAll(() => stage.close())

const actor = () => ({ ...operatorActor('test'), displayName: 'operator', verified: true, rules: compileRules(new Map(), []) })

/** The row of blocks in which players build: they appear at 8, 8 and on the blocks around it. */
const rowZ = 10

const place = async (player: RealtimeClient, type: string, ...xs: readonly number[]): Promise<void> => {
  const edits = xs.map((x) => ({ x, y: 64, z: rowZ, type }))
  await waitFor(async () => {
    player.send({ $case: 'editBlocks', value: { seq: 1, edits } })
    return (await player.next('editResult')).ok === true
  }, 180_000)
}

const addZone = async (name: string, cx: number) => {
  const { zones } = stage.services
  const { zone } = await zones.createZone(actor(), { name, yMin: 60, yMax: 70, chunks: [{ cx, cz: 0 }] })
  await zones.changeZone(actor(), zone.id, { enabled: false })
  return zone
}

const over = ({ id }: Job) => endOfJob(stage.services.jobs, id)

const start = async (make: typeof snapshotJob | typeof restoreJob, zone: { id: string }, what: never) => {
  const { jobs, worlds } = stage.services
  return jobs.start(actor(), make({ world: await worlds.getWorld(), zone }, what))
}
const take = (zone: { id: string }) => start(snapshotJob, zone, 'Before' as never)
const restore = (zone: { id: string }, id: string) => start(restoreJob, zone, { id, name: 'Before' } as never)

/** The stored blocks of the row at a height in a column. */
const row = async (cx: number, y = 64) => {
  const { chunks, worlds } = stage.services
  const [bytes] = await chunks.getMany(await worlds.getWorld(), [{ cx, cz: 0 }])
  const registry = createBlockRegistry([])
  const decoded = decodeChunk(bytes ?? new Uint8Array(), { cx, cz: 0 }, registry)
  if (!decoded.ok) return []
  return Array.from({ length: 16 }, (_, x) => [x, getBlock(decoded.chunk, x, y, rowZ)] as const).flatMap(([x, index]) =>
    index === 0 ? [] : [`${x} ${registry.idOf(index)}`],
  )
}

const entryOf = async (action: string, job: Job) => {
  const { entries } = await stage.services.audit.listEntries({ limit: 100 })
  return entries.find((entry) => entry.action === action && (entry.after as { job: string }).job === job.id)?.id ?? ''
}

it('holds the blocks of its start despite later edits, and restores them as history', async () => {
  const ann = await stage.enter(node, 'ann')
  await place(ann.client, 'planks', 5, 6)
  const zone = await addZone('House', 0)

  let open = () => {}
  gate = new Promise((resolve) => {
    open = resolve
  })
  isReading = false
  const job = await take(zone)
  await waitFor(() => isReading)
  await place(ann.client, 'glass', 6, 7)
  await place(ann.client, 'stone', 7)
  open()
  gate = undefined
  const taken = await over(job)
  // 16 x 16 of stone and grass in four layers, and the two planks.
  expect(taken).toMatchObject({ state: 'done', result: { id: job.id, name: 'Before', blocks: 4 * 256 + 2 } })
  expect(await row(0)).toEqual(['5 planks', '6 glass', '7 stone'])

  const restored = await restore(zone, job.id)
  expect(await over(restored)).toMatchObject({ state: 'done', result: { blocks: 2 } })
  expect(await row(0)).toEqual(['5 planks', '6 planks'])

  const { undo } = stage.services
  const { restored: started } = await undo.undo(actor(), await entryOf('zone.restore', restored))
  expect(await over(started as Job)).toMatchObject({ state: 'done', result: { blocks: 2 } })
  expect(await row(0)).toEqual(['5 planks', '6 glass', '7 stone'])
  await expect(undo.undo(actor(), await entryOf('zone.snapshot', job))).rejects.toMatchObject({ slug: 'not-undoable' })
})

it('fails without a trace when the zone is deleted, and a restored zone has its snapshots', async () => {
  const { zones, snapshots, undo, audit } = stage.services
  const zone = await addZone('Gone', 1)
  const kept = await over(await take(zone))
  expect(kept.state).toBe('done')

  let open = () => {}
  gate = new Promise((resolve) => {
    open = resolve
  })
  isReading = false
  const job = await take(zone)
  await waitFor(() => isReading)
  await zones.removeZone(actor(), zone.id)
  open()
  gate = undefined
  expect(await over(job)).toMatchObject({ state: 'failed', detail: expect.stringContaining('no zone with that id') })
  expect(await over(await restore(zone, kept.id))).toMatchObject({ state: 'failed' })

  const { entries } = await audit.listEntries({ limit: 100 })
  const deletion = entries.find(({ action, target }) => action === 'zone.delete' && target === zone.id)
  await undo.undo(actor(), deletion?.id ?? '')
  expect((await snapshots.list(zone.id)).map(({ id }) => id)).toEqual([kept.id])
  expect(await over(await restore(zone, kept.id))).toMatchObject({ state: 'done', result: { blocks: 0 } })
})

it('restores only the heights of the snapshot when the zone has grown upwards since', async () => {
  const { zones } = stage.services
  const { client } = await stage.enter(node, 'fay')
  const put = (type: string, y: number) =>
    waitFor(async () => {
      client.send({ $case: 'editBlocks', value: { seq: 1, edits: [{ x: 11, y, z: rowZ, type }] } })
      return (await client.next('editResult')).ok === true
    }, 180_000)
  await put('planks', 66)
  for (const {
    zone: { id },
  } of await zones.listZones())
    await zones.removeZone(actor(), id)
  const zone = await addZone('Tower', 0)
  const job = await take(zone)
  expect(await over(job)).toMatchObject({ state: 'done' })
  await put('glass', 66)
  await put('glass', 71)
  await zones.changeZone(actor(), zone.id, { yMin: 60, yMax: 120 })
  expect(await over(await restore(zone, job.id))).toMatchObject({ state: 'done', result: { blocks: 1 } })
  expect([await row(0, 66), await row(0, 71)]).toEqual([['11 planks'], ['11 glass']])
})
