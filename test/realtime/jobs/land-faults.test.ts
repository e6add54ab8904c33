import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { listChanges } from '../../../shared/domain/history/find-changes.ts'
import { createJobService, type JobService, operatorActor } from '../../../shared/domain/jobs/job-service.ts'
import { rollbackJob } from '../../../shared/domain/jobs/rollback.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { endOfJob } from '../../support/realtime/end-of-job.ts'
import { openNodesOfWorld } from '../../support/realtime/nodes-of-world.ts'
import type { RealtimeClient } from '../../support/realtime/realtime-client.ts'
import { waitFor } from '../../support/time/wait-for.ts'

let stage: Awaited<ReturnType<typeof openNodesOfWorld>>
let node: Awaited<ReturnType<typeof stage.start>>
/** The jobs of a process that also receives no events from Redis. */
let jobs: JobService
let isFull = false
let isRedisAway = false
/** While set, reads of the history wait for it. */
let gate: Promise<void> | undefined
let isReading = false
beforeAll(async () => {
  stage = await openNodesOfWorld()
  const { chunks, events } = stage.services
  const putMany: typeof chunks.putMany = async (...asked) => {
    if (isFull) throw new AppError('unavailable', 'storage-full', 'The disk is full.')
    return chunks.putMany(...asked)
  }
  const publish: typeof events.publish = async (...asked) => (isRedisAway ? undefined : events.publish(...asked))
  const listSide: typeof chunks.listSide = async (...asked) => {
    const found = await chunks.listSide(...asked)
    isReading = true
    await gate
    return found
  }
  const parts = { ...stage.services, chunks: { ...chunks, putMany, listSide }, events: { ...events, publish } }
  jobs = createJobService(parts)
  node = await stage.start({}, parts)
})
afterAll(() => stage.close())

/** Next to the players, who appear at 8, 8 and on the blocks around it. */
const row = 10
/** The start of the row. */
const west = 2

const build = async (player: RealtimeClient, type: string, ...xs: readonly number[]): Promise<void> => {
  const edits = xs.map((x) => ({ x: x + west, y: 64, z: row, type }))
  await waitFor(async () => {
    player.send({ $case: 'editBlocks', value: { seq: 1, edits } })
    return (await player.next('editResult')).ok === true
  }, 180_000)
}

const start = async (by: string) => {
  const { worlds, clock } = stage.services
  return jobs.start(operatorActor('test'), rollbackJob(await worlds.getWorld(), { since: 0, until: clock.now(), by }))
}

const over = ({ id }: { readonly id: string }) => endOfJob(jobs, id)

/** The newest change of each block of the row, by x. */
const newest = async () => {
  const { chunks, worlds } = stage.services
  const { changes } = await listChanges(chunks, await worlds.getWorld(), { filter: {}, limit: 100 })
  return Object.fromEntries(changes.toReversed().map(({ x, by, to }) => [x - west, { by, to }]))
}

it('fails with its progress when the disk is full, and a second run does the rest', async () => {
  const { client, playerId } = await stage.enter(node, 'ann')
  await build(client, 'planks', 2, 3)
  isFull = true
  const failed = await over(await start(playerId))
  isFull = false
  expect(failed).toMatchObject({ state: 'failed', detail: expect.stringContaining('0 of 2 blocks were rolled back') })
  await waitFor(async () => (await over(await start(playerId))).state === 'done', 180_000)
  await build(client, 'glass', 2)
})

it('starts and ends while Redis carries no events', async () => {
  const { client, playerId } = await stage.enter(node, 'bob')
  await build(client, 'planks', 4)
  isRedisAway = true
  expect(await over(await start(playerId))).toMatchObject({ state: 'done', result: { blocks: 1 } })
  isRedisAway = false
})

it('keeps blocks that players build while it runs', async () => {
  const { client, playerId } = await stage.enter(node, 'cid')
  const other = await stage.enter(node, 'dan')
  await build(client, 'planks', 5, 6)
  let open = () => {}
  gate = new Promise((resolve) => {
    open = resolve
  })
  isReading = false
  const job = await start(playerId)
  await waitFor(() => isReading)
  await build(other.client, 'glass', 6)
  gate = undefined
  open()
  expect(await over(job)).toMatchObject({ state: 'done', result: { blocks: 1, skipped: 1 } })
  expect((await newest())[6]).toMatchObject({ by: other.playerId, to: 'glass' })
})

it('continues on the next node when the first one stops in the middle', async () => {
  const { client, playerId } = await stage.enter(node, 'eve')
  await build(client, 'planks', 8, 9)
  let open = () => {}
  gate = new Promise((resolve) => {
    open = resolve
  })
  isReading = false
  const job = await start(playerId)
  await waitFor(() => isReading)
  const closing = node.close()
  gate = undefined
  open()
  await closing
  node = await stage.start()
  expect(await over(job)).toMatchObject({ state: 'done', result: { blocks: 2 } })
  expect([(await newest())[8], (await newest())[9]]).toMatchObject([{ to: 'air' }, { to: 'air' }])
})
