import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { listChanges } from '../../../shared/domain/history/find-changes.ts'
import { operatorActor } from '../../../shared/domain/jobs/job-service.ts'
import { rollbackJob } from '../../../shared/domain/jobs/rollback.ts'
import { type DynamoServer, describeDynamo, openDynamoForTests } from '../../support/dynamodb/dynamodb.ts'
import { openModuleFolder } from '../../support/modules/module-folder.ts'
import { moduleText } from '../../support/modules/node-with-modules.ts'
import { endOfJob } from '../../support/realtime/end-of-job.ts'
import { openNodesOfWorld } from '../../support/realtime/nodes-of-world.ts'
import { waitFor } from '../../support/time/wait-for.ts'

const slow = 180_000

/** A module whose command places stone in a row next to the players. */
const builder = `commands: { row: { description: 'Builds a row.', forms: [[]], permission: 'none', run: (caller, args, game) => {
  const changes = [4, 5, 6].map((x) => ({ x, y: 64, z: 10, type: 'stone' }))
  game.world.edit(changes, { settled: (reason) => caller?.tell('settled ' + (reason ?? 'well')) })
  return 'asked'
} } }`

/** Builds with a module and a player, rolls the module back, and checks what stays. */
const rollBackModule = async (dynamoEndpoint?: string): Promise<void> => {
  const stage = await openNodesOfWorld(dynamoEndpoint)
  const folder = await openModuleFolder({ 'builder.ts': moduleText('builder', builder) })
  try {
    const { jobs, worlds, clock, chunks } = stage.services
    const node = await stage.start({ moduleSources: folder.sources })
    const { client, playerId } = await stage.enter(node, 'ann')
    await waitFor(async () => {
      client.command('/row', 1)
      for (;;) {
        const { text } = await client.next('notice')
        if (String(text).startsWith('settled')) return text === 'settled well'
      }
    }, slow)
    const edits = [5, 7].map((x) => ({ x, y: 64, z: 10, type: 'planks' }))
    await waitFor(async () => {
      client.send({ $case: 'editBlocks', value: { seq: 1, edits } })
      return (await client.next('editResult')).ok === true
    }, slow)

    const world = await worlds.getWorld()
    const list = async (filter: Parameters<typeof listChanges>[2]['filter']) =>
      (await listChanges(chunks, world, { filter, limit: 100 })).changes.toSorted((one, other) => one.x - other.x)
    const made = { via: 'module', module: 'builder', by: '', from: 'air', to: 'stone' }
    await waitFor(async () => (await list({ by: playerId })).length === 2, slow)
    expect(await list({ module: 'builder' })).toMatchObject([4, 5, 6].map((x) => ({ x, ...made })))

    const input = { since: 0, until: clock.now(), module: 'builder' }
    const { id } = await jobs.start(operatorActor('test'), rollbackJob(world, input))
    // The player's block at 5 is newer, so it stays.
    expect(await endOfJob(jobs, id)).toMatchObject({ state: 'done', result: { blocks: 2, skipped: 1 } })
    const undone = (await list({})).filter(({ via }) => via === 'rollback')
    expect(undone).toMatchObject([4, 6].map((x) => ({ x, from: 'stone', to: 'air', undoes: id })))
  } finally {
    await stage.close()
    await folder.remove()
  }
}

describe('a rollback of a module', () => {
  it('reverts its edits on a real node, and keeps newer edits of players', () => rollBackModule(), slow)
})

describeDynamo('a rollback of a module in DynamoDB', () => {
  let server: DynamoServer
  beforeAll(async () => {
    server = await openDynamoForTests()
  }, slow)
  afterAll(() => server?.stop())

  it('reverts its edits, and keeps newer edits of players', () => rollBackModule(server.endpoint), slow)
})
