import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { listChanges } from '../../../shared/history/list-block-changes.ts'
import { operatorActor } from '../../../shared/jobs/job-service.ts'
import { type RollbackInput, rollbackJob } from '../../../shared/jobs/rollback.ts'
import { openNodesOfWorld } from '../../support/realtime/nodes-of-world.ts'
import type { RealtimeClient } from '../../support/realtime/realtime-client.ts'
import { waitFor } from '../../support/time/wait-for.ts'

let stage: Awaited<ReturnType<typeof openNodesOfWorld>>
beforeAll(async () => {
  stage = await openNodesOfWorld()
})
afterAll(() => stage.close())

const build = async (player: RealtimeClient, type: string, ...xs: readonly number[]): Promise<void> => {
  const edits = xs.map((x) => ({ x, y: 64, z: 0, type }))
  await waitFor(async () => {
    player.send({ $case: 'editBlocks', value: { seq: 1, edits } })
    return (await player.next('editResult')).ok === true
  }, 60_000)
}

const rollBack = async (input: Partial<RollbackInput>) => {
  const { jobs, worlds, clock } = stage.services
  const whole = { since: 0, until: clock.now(), ...input }
  const { id } = await jobs.start(operatorActor('test'), rollbackJob(await worlds.getWorld(), whole))
  await waitFor(async () => (await jobs.getJob(id)).finishedAt !== undefined, 60_000)
  return jobs.getJob(id)
}

const history = async () => {
  const { chunks, worlds } = stage.services
  const { changes } = await listChanges(chunks, await worlds.getWorld(), { filter: {}, limit: 100 })
  return changes.map(({ x, by, via, from, to, undoes }) => ({ x, by, via, from, to, undoes }))
}

it('takes back what somebody built, seen by players and as history, leaves what others changed, and is taken back itself', async () => {
  const node = await stage.start()
  const ann = await stage.enter(node, 'ann')
  const bob = await stage.enter(node, 'bob')
  await build(ann.client, 'planks', 2, 3, 4)
  await build(bob.client, 'stone', 3)
  const before = bob.client.count('blocksChanged')

  const job = await rollBack({ by: ann.playerId })
  expect(job).toMatchObject({ state: 'done', progress: 1, result: { changes: 2, blocks: 2, columns: 1, skipped: 1 } })
  const mark = { by: 'operator', via: 'rollback', from: 'planks', to: 'air', undoes: job.id }
  const [newest, second, third] = await history()
  expect([newest, second].sort((one, other) => (one?.x ?? 0) - (other?.x ?? 0))).toEqual([
    { x: 2, ...mark },
    { x: 4, ...mark },
  ])
  expect(third).toMatchObject({ x: 3, by: bob.playerId, via: 'game', from: 'planks', to: 'stone' })
  await waitFor(() => bob.client.count('blocksChanged') > before)

  const both = await Promise.all([rollBack({ by: 'operator' }), rollBack({ by: bob.playerId })])
  expect(both.map(({ state }) => state)).toEqual(['done', 'done'])
  expect(
    (await history())
      .slice(0, 3)
      .map(({ x, to }) => `${x} ${to}`)
      .sort(),
  ).toEqual(['2 planks', '3 planks', '4 planks'])
})
