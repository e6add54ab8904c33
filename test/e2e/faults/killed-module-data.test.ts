import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type DynamoServer, describeDynamo, openDynamoForTests } from '../../support/dynamodb/dynamodb.ts'
import { findFreePort } from '../../support/processes/free-port.ts'
import { describeOwnRedis, type RedisServer, startRedis } from '../../support/redis/redis.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { type Answer, ask } from '../support/api.ts'
import { createDynamoPlace } from '../support/dynamo-place.ts'
import { administrator, createStage, quickConfig, type Server } from '../support/stage.ts'

/** Each command changes the player's value in two places, and commits ten pairs of records. Its reply comes when they are durable. */
const ledger = `import { Type } from '@sinclair/typebox'
import { defineModule } from 'gatehouse/module'
const Entry = { schema: Type.Object({ count: Type.Number() }) }
export default defineModule({
  name: 'ledger',
  api: 1,
  declare: {
    player: { schema: Type.Object({ left: Type.Number({ default: 0 }), right: Type.Number({ default: 0 }) }) },
    records: { left: Entry, right: Entry },
  },
  commands: {
    add: {
      description: 'Adds one entry.',
      forms: [[]],
      permission: 'none',
      run: (caller, _args, game) => {
        if (caller === undefined) return { refuse: 'Only players have a ledger.' }
        caller.data.left += 1
        caller.data.right += 1
        const count = caller.data.left
        const write = async () => {
          for (let part = 0; part < 10; part += 1) {
            const id = caller.id + '/' + String(count) + '/' + String(part)
            await game.commit([{ record: 'left', id, value: { count } }, { record: 'right', id, value: { count } }])
          }
        }
        return game.later(write, () => String(count))
      },
    },
  },
})
`
/** More values in memory: the server looks at one value in a tick, so that most changes are not yet written by themselves. */
const fillerOf = (name: string) => `import { Type } from '@sinclair/typebox'
import { defineModule } from 'gatehouse/module'
const schema = Type.Object({ count: Type.Number({ default: 0 }) })
export default defineModule({ name: '${name}', api: 1, declare: { player: { schema } } })
`
const fillers = Array.from({ length: 20 }, (_, n) => `filler-${n}`)
const slow = 180_000
const config = `${quickConfig}realtime: { messagesPerSecond: 10000, messageBurst: 20000 }\n`

/** The server that answers requests, and how the node is killed and started again. */
type Place = {
  readonly start: () => Promise<Server>
  readonly kill: () => Promise<unknown>
  readonly restart: () => Promise<Server>
}

/** `open` gets the variables of the node. `delaysMs`: how long after a reply the node is killed. */
const testKilledNode = (
  stage: ReturnType<typeof createStage>,
  delaysMs: readonly number[],
  open: (node: Record<string, string>) => Promise<Place>,
): void => {
  let metricsPort: string
  let place: Place
  let server: Server

  beforeAll(async () => {
    const modules = await stage.createEmptyDir()
    await writeFile(join(modules, 'ledger.ts'), ledger)
    for (const name of fillers) await writeFile(join(modules, `${name}.ts`), fillerOf(name))
    metricsPort = String(await findFreePort())
    place = await open({ METRICS_PORT: metricsPort, GATEHOUSE_MODULES: modules })
    server = await place.start()
    await stage.claim(server)
  }, slow)
  afterAll(() => stage.close())

  const say = async (what: string): Promise<Answer> =>
    ask(server.url, what, { token: await stage.signIn(server.url, administrator.email, administrator.password) })

  /** The player's value after a restart: what the store has. */
  const readPlayer = async (playerId: string) => (await say(`GET /api/admin/modules/ledger/players/${playerId}`)).body.data

  const readCounts = async (record: string, playerId: string): Promise<readonly number[]> => {
    const counts: number[] = []
    let cursor = ''
    do {
      const { body } = await say(`GET /api/admin/modules/ledger/records?record=${record}&prefix=${playerId}&limit=200${cursor}`)
      counts.push(...(body.records as { value: { count: number } }[]).map(({ value }) => value.count))
      cursor = body.nextCursor === undefined ? '' : `&cursor=${encodeURIComponent(String(body.nextCursor))}`
    } while (cursor !== '')
    return counts.sort((a, b) => a - b)
  }

  /** The records and changed values of the module that were written since the start. */
  const countWrites = async (): Promise<number> => {
    const { text } = await ask(`http://127.0.0.1:${metricsPort}`, 'GET /metrics')
    return Number(/^gatehouse_module_record_writes_total\{[^}]*module="ledger"[^}]*\} (\d+)/m.exec(text)?.[1] ?? 0)
  }

  it.each([...delaysMs])(
    'keeps confirmed records, written player values and whole changes, %s ms after a reply',
    async (delayMs) => {
      const keeper = { email: `keeper${delayMs}@example.com`, password: 'the password of mine' }
      const token = await stage.signIn(server.url, administrator.email, administrator.password)
      const created = await ask(server.url, 'POST /api/admin/users', { token, body: { ...keeper, groups: ['player'] } })
      expect(created.status).toBe(201)
      const { playerId, token: ownToken } = (await ask(server.url, 'POST /auth/login', { body: keeper })).body
      const player = await stage.join(server.url, String(ownToken))
      let sent = 0
      const add = () => {
        sent += 1
        player.command('/add', sent)
      }
      /** The counts of the records that the server has confirmed. */
      const acknowledged = () =>
        player
          .all('commandResult')
          .filter(({ ok }) => ok)
          .map(({ text }) => Number(text))

      const writes = await countWrites()
      add()
      await waitFor(() => acknowledged().length === 1)
      // Twenty writes are the records. The other is the value of the player, at most ten seconds later.
      await waitFor(async () => (await countWrites()) >= writes + 21, undefined, 200)
      // Commands go on until the process is dead, so that it dies in the middle of writes.
      const sending = setInterval(add, 5)
      await waitFor(() => acknowledged().length >= 5, undefined, 1)
      // The next command of the player starts a tick after the reply, and then writes for some milliseconds.
      await new Promise((resolve) => setTimeout(resolve, delayMs))
      await place.kill()
      clearInterval(sending)
      const durable = acknowledged()
      server = await place.restart()

      const pairs = await readCounts('left', String(playerId))
      expect(await readCounts('right', String(playerId))).toEqual(pairs)
      for (const one of durable) expect([one, pairs.filter((count) => count === one).length]).toEqual([one, 10])
      const data = (await readPlayer(String(playerId))) as { left: number; right: number }
      expect(data.right).toBe(data.left)
      // A record is never stored without the change of the player before it.
      expect(data.left).toBeGreaterThanOrEqual(Math.max(...pairs))
      expect(data.left).toBeLessThanOrEqual(sent)
    },
    slow,
  )
}

const restartOf = (stage: ReturnType<typeof createStage>, variables: Record<string, string>): Place => {
  let server: Server | undefined
  const start = async () => {
    server = await stage.start(variables)
    return server
  }
  return { start, kill: async () => server?.kill(), restart: start }
}

describe('module data of a server that is killed', () => {
  const stage = createStage()
  testKilledNode(stage, [55, 75], async (node) => restartOf(stage, { ...node, DATA_DIR: await stage.createDataDir(config) }))
})

describeDynamo('module data of a server on DynamoDB that is killed', () => {
  const stage = createStage()
  let dynamo: DynamoServer
  beforeAll(async () => {
    dynamo = await openDynamoForTests()
  }, slow)
  afterAll(() => dynamo?.stop())
  testKilledNode(stage, [55], async (node) =>
    restartOf(stage, {
      ...node,
      ...(await createDynamoPlace(stage, dynamo.endpoint, config)),
      DATA_DIR: await stage.createEmptyDir(),
    }),
  )
})

describeOwnRedis('module data of a node beside an HTTP process that is killed', () => {
  const stage = createStage()
  let redis: RedisServer
  beforeAll(async () => {
    redis = await startRedis()
  }, slow)
  afterAll(() => redis?.stop())
  testKilledNode(stage, [55], async (variables) => {
    const port = String(await findFreePort())
    const common = { DATA_DIR: await stage.createDataDir(config), REDIS_URL: redis.url }
    let node: Server | undefined
    let http: Server | undefined
    return {
      start: async () => {
        const started = await stage.start({ ...common, REALTIME_URL: `http://127.0.0.1:${port}` }, 'infra/http.ts')
        node = await stage.start({ ...common, ...variables, PORT: port }, 'realtime/main.ts')
        http = started
        return started
      },
      kill: async () => node?.kill(),
      // The HTTP process reads what the node has stored.
      restart: async () => http ?? Promise.reject(new Error('the HTTP process did not start')),
    }
  })
})
