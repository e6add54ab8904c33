import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { listChanges } from '../../../shared/domain/history/find-changes.ts'
import type { Job } from '../../../shared/domain/jobs/job.ts'
import { operatorActor } from '../../../shared/domain/jobs/job-service.ts'
import { type RollbackInput, rollbackJob } from '../../../shared/domain/jobs/rollback.ts'
import { compileRules } from '../../../shared/domain/permissions/compile-rules.ts'
import { endOfJob } from '../../support/realtime/end-of-job.ts'
import { openNodesOfWorld } from '../../support/realtime/nodes-of-world.ts'
import type { RealtimeClient } from '../../support/realtime/realtime-client.ts'
import { waitFor } from '../../support/time/wait-for.ts'

let stage: Awaited<ReturnType<typeof openNodesOfWorld>>
let node: Awaited<ReturnType<typeof stage.start>>
beforeAll(async () => {
  stage = await openNodesOfWorld()
  node = await stage.start()
})
afterAll(() => stage.close())

const buildAt = async (
  player: RealtimeClient,
  type: string,
  places: readonly { readonly x: number; readonly y?: number; readonly z: number }[],
): Promise<void> => {
  const edits = places.map(({ x, y = 64, z }) => ({ x, y, z, type }))
  await waitFor(async () => {
    player.send({ $case: 'editBlocks', value: { seq: 1, edits } })
    return (await player.next('editResult')).ok === true
  }, 180_000)
}

/** The start of the row: players appear at 8, 8 and on the blocks around it. */
const west = 2

/** Builds in a row next to the players. */
const build = (player: RealtimeClient, type: string, ...xs: readonly number[]): Promise<void> =>
  buildAt(
    player,
    type,
    xs.map((x) => ({ x: x + west, z: 10 })),
  )

const rollBack = async (input: Partial<RollbackInput>) => {
  const { jobs, worlds, clock } = stage.services
  const whole = { since: 0, until: clock.now(), ...input }
  const { id } = await jobs.start(operatorActor('test'), rollbackJob(await worlds.getWorld(), whole))
  return endOfJob(jobs, id)
}

const history = async () => {
  const { chunks, worlds } = stage.services
  const { changes } = await listChanges(chunks, await worlds.getWorld(), { filter: {}, limit: 100 })
  return changes.map(({ x, by, via, from, to, undoes }) => ({ x: x - west, by, via, from, to, undoes }))
}

const undoRollback = async (job: string) => {
  const { audit, undo, jobs } = stage.services
  const { entries } = await audit.listEntries({ limit: 50 })
  const entry = entries.find(({ action, after }) => action === 'world.rollback' && (after as { job: string }).job === job)
  const actor = { ...operatorActor('undo'), displayName: 'operator', verified: true, rules: compileRules(new Map(), []) }
  const id = entry?.id ?? ''
  const would = await undo.rehearse(actor, id)
  const { restored } = await undo.undo(actor, id)
  const { id: started } = restored as Job
  return { would, job: await endOfJob(jobs, started), again: await undo.undo(actor, id).catch((error: unknown) => error) }
}

it('reverts one player’s edits as history, keeps edits of others, and can be reverted itself', async () => {
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

it('can be undone once from the audit log, except newer edits, and that can be undone too', async () => {
  const cid = await stage.enter(node, 'cid')
  await build(cid.client, 'glass', 5, 6)
  const first = await rollBack({ by: cid.playerId })
  expect(first).toMatchObject({ result: { blocks: 2 } })
  await build(cid.client, 'stone', 6)

  const undone = await undoRollback(first.id)
  expect(undone.would).toEqual({ changes: 1, blocks: 1, columns: 1, skipped: 1 })
  expect(undone.job).toMatchObject({ state: 'done', result: { changes: 1, blocks: 1, columns: 1, skipped: 1 } })
  expect(undone.again).toMatchObject({ slug: 'not-undoable' })
  expect((await history())[0]).toMatchObject({ x: 5, via: 'rollback', from: 'air', to: 'glass', undoes: undone.job.id })

  const back = await undoRollback(undone.job.id)
  expect(back.job).toMatchObject({ state: 'done', result: { blocks: 1 } })
  expect((await history())[0]).toMatchObject({ x: 5, from: 'glass', to: 'air' })
})

it('/undo reverts the caller’s edits, further with each call, except in a closed zone', async () => {
  const { zones } = stage.services
  const { client, playerId } = await stage.enter(node, 'dan')
  const undo = async (count: number) => {
    client.command(`/undo ${count}`)
    const { ok, text, data } = await client.next('commandResult')
    return { ok, text, data: typeof data === 'string' ? JSON.parse(data) : data }
  }
  await build(client, 'planks', 7)
  await build(client, 'stone', 7)
  await buildAt(client, 'glass', [{ x: 6, y: 67, z: 10 }])
  const actor = { ...operatorActor('test'), displayName: 'operator', verified: true, rules: compileRules(new Map(), []) }
  const bounds = { name: 'Closed', yMin: 66, yMax: 70, chunks: [{ cx: 0, cz: 0 }] }
  const { zone } = await zones.createZone(actor, bounds)
  const untilMayBuild = (may: boolean) =>
    waitFor(
      async () => {
        client.send({ $case: 'editBlocks', value: { seq: 2, edits: [{ x: 6, y: 68, z: 10, type: 'air' }] } })
        return ((await client.next('editResult')).ok === true) === may
      },
      180_000,
      50,
    )
  await untilMayBuild(false)
  expect(await undo(1)).toMatchObject({
    ok: true,
    text: '1 block is restored; you may no longer change 1 block.',
  })
  expect((await history())[0]).toMatchObject({ x: 7, via: 'command', from: 'stone', to: 'planks' })
  await zones.removeZone(actor, zone.id)
  await untilMayBuild(true)
  expect(await undo(1)).toMatchObject({ ok: true, text: '1 block is restored.' })
  expect((await history())[0]).toMatchObject({ x: 6 - west, by: playerId, via: 'command', from: 'glass', to: 'air' })
  expect(await undo(9)).toMatchObject({ ok: true, text: '1 block is restored.' })
  expect(await undo(9)).toMatchObject({ ok: true, text: expect.stringMatching(/You have no edits to undo/) })
})
