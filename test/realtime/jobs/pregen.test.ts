import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { operatorActor } from '../../../shared/domain/jobs/job-service.ts'
import { pregenJob } from '../../../shared/domain/jobs/pregen.ts'
import { endOfJob } from '../../support/realtime/end-of-job.ts'
import { openNodesOfWorld } from '../../support/realtime/nodes-of-world.ts'
import { waitFor } from '../../support/time/wait-for.ts'

let stage: Awaited<ReturnType<typeof openNodesOfWorld>>
beforeAll(async () => {
  stage = await openNodesOfWorld()
})
afterAll(() => stage.close())

const start = async (radius: number) => {
  const { jobs, worlds } = stage.services
  return jobs.start(operatorActor('test'), pregenJob(await worlds.getWorld(), { radius }))
}

const countColumns = async (): Promise<number> => {
  const { chunks, worlds } = stage.services
  return (await chunks.stats(await worlds.getWorld())).chunkCount
}

const whenOver = (id: string) => endOfJob(stage.services.jobs, id)

it('generates missing columns around a player durably, and continues on the next node', async () => {
  const { worlds, jobs } = stage.services
  await worlds.ensureActive()
  const waiting = await start(3)
  const node = await stage.start()
  await stage.enter(node, 'ann')
  expect(await whenOver(waiting.id)).toMatchObject({ state: 'done', progress: 1, result: { columns: 49 } })
  expect(await countColumns()).toBeGreaterThanOrEqual(49)

  const large = await start(16)
  await waitFor(async () => (await jobs.getJob(large.id)).progress > 0)
  await node.close()
  expect(await jobs.getJob(large.id)).toMatchObject({ state: expect.stringMatching(/queued|done/) })
  await stage.start()
  const done = await whenOver(large.id)
  expect(done).toMatchObject({ state: 'done', result: { columns: 1089 } })
  expect(await countColumns()).toBeGreaterThanOrEqual(1089)

  const again = await whenOver((await start(16)).id)
  expect(again).toMatchObject({ state: 'done', result: { columns: 1089, generated: 0 } })

  const cancelled = await start(100)
  await waitFor(async () => (await jobs.getJob(cancelled.id)).state === 'running')
  await jobs.cancel(operatorActor('test'), cancelled.id)
  expect(await whenOver(cancelled.id)).toMatchObject({ state: 'cancelled' })
})
