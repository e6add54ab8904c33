import { afterEach, expect, it } from '@jest/globals'
import { type TSchema, Type } from '@sinclair/typebox'
import { defineModule, type Module } from 'gatehouse/module'
import { startTestGame } from 'gatehouse/module/testing'

let stop = async (): Promise<void> => {}
afterEach(() => stop())

const zones = [{ name: 'Spawn', from: { x: 0, z: 0 }, to: { x: 15, z: 15 } }]

const start = async <const M extends Module>(modules: readonly M[], startMs?: number) => {
  const game = await startTestGame({ modules, world: { zones }, ...(startMs !== undefined && { startMs }) })
  stop = game.stop
  return game
}

it('tells a module when a player enters and leaves a zone', async () => {
  const guide = defineModule({
    name: 'guide',
    api: 1,
    on: {
      zoneEntered: ({ player, zone }) => player.tell(`in ${zone.name}`),
      zoneLeft: ({ player, zone }) => player.tell(`out of ${zone.name}`),
    },
  })
  const game = await start([guide])
  const ada = await game.join('Ada', { at: { x: 17.5, y: 64, z: 5.5 } })
  const before = ada.told.length
  await ada.walk({ x: 15 })
  await ada.walk({ x: 17 })
  expect(ada.told.slice(before)).toEqual(['in Spawn', 'out of Spawn'])
})

it('asks about a move at the border of a zone only, and puts a refused player back', async () => {
  const places: number[] = []
  const gate = defineModule({
    name: 'gate',
    api: 1,
    decide: {
      move: ({ player, to }) => {
        places.push(to.x)
        return player.name === 'Bob' ? { refuse: 'The gate is closed.' } : undefined
      },
    },
  })
  const game = await start([gate])
  const [ada, bob] = [await game.join('Ada', { at: { x: 17.5, y: 64, z: 5.5 } }), await game.join('Bob')]
  expect(await ada.walk({ x: 15 })).toMatchObject({ x: 15 })
  expect(places).toHaveLength(1)
  expect((await bob.walk({ x: -3 })).x).toBeGreaterThanOrEqual(0)
})

it('refuses a command with the words of a module', async () => {
  const quiet = defineModule({
    name: 'quiet',
    api: 1,
    decide: { command: ({ name, text }) => (name === 'help' ? { refuse: `Not now: ${text}` } : undefined) },
  })
  const game = await start([quiet])
  const ada = await game.join('Ada')
  expect(await ada.command('/help me')).toEqual({ ok: false, text: 'Not now: /help me' })
})

it('asks modules by `after`, and then by name', async () => {
  const refusing = (name: string, after: readonly string[] = []) =>
    defineModule({ name, api: 1, after, decide: { chat: () => ({ refuse: name }) } })
  const game = await start([refusing('alpha', ['omega']), refusing('beta', ['alpha']), refusing('omega')])
  const ada = await game.join('Ada')
  expect(await ada.say('Hello.')).toEqual({ ok: false, reason: 'omega' })
  await game.reload([refusing('beta'), refusing('alpha')])
  expect(await ada.say('Hello.')).toEqual({ ok: false, reason: 'alpha' })
})

it('runs a schedule once, when its minute begins', async () => {
  const runs: number[] = []
  const clock = defineModule({
    name: 'clock',
    api: 1,
    schedules: { minutely: { cron: '* * * * *', run: (game) => void runs.push(game.time.nowMs()) } },
  })
  const game = await start([clock], Date.parse('2026-01-01T00:00:58.000Z'))
  await game.tick(20)
  expect(runs).toEqual([])
  await game.tick(60)
  expect(runs).toHaveLength(1)
})

it('stops modules at a hand-over, and starts them on the next node', async () => {
  const events: string[] = []
  const state = defineModule({
    name: 'notes',
    api: 1,
    on: { start: () => void events.push('start'), stop: ({ reason }) => void events.push(reason) },
  })
  const game = await start([state])
  await game.tick(2)
  await game.handOver()
  await game.tick(2)
  expect(events).toEqual(['start', 'hand-over', 'start'])
})

it('reloads a module whose schemas keep their $id', async () => {
  const shop = (price: number) => {
    const params = Type.Object({ item: Type.String() }, { $id: 'Buy' })
    return defineModule({
      name: 'shop',
      api: 1,
      declare: { messages: { buy: { params, reply: Type.Integer() } } },
      receive: { buy: () => price },
    })
  }
  const game = await start([shop(1)])
  const ada = await game.join('Ada')
  expect(await ada.call('buy', { item: 'apple' })).toBe(1)
  await game.reload([shop(2)])
  expect(await ada.call('buy', { item: 'apple' })).toBe(2)
})

it('keeps players and their data from version 1 to 2 and back, by a reload and a hand-over', async () => {
  const counter = (version: number) =>
    defineModule({
      name: 'counter',
      api: 1,
      declare: {
        player: { schema: Type.Object({ count: Type.Integer({ default: 0 }) }) },
        messages: { add: { params: Type.Object({}), reply: Type.Array(Type.Integer()) } },
      },
      receive: {
        add: (player) => {
          player.data.count += 1
          return [version, player.data.count]
        },
      },
    })
  const game = await start([counter(1)])
  const players: Awaited<ReturnType<typeof game.join>>[] = []
  for (let index = 0; index < 20; index += 1) players.push(await game.join(`Player ${index}`))
  const addAll = () => Promise.all(players.map((player) => player.call('add', {})))
  const all = (version: number, count: number) => players.map(() => [version, count])
  expect(await addAll()).toEqual(all(1, 1))
  await game.reload([counter(2)])
  expect(await addAll()).toEqual(all(2, 2))
  await game.handOver()
  expect(await addAll()).toEqual(all(2, 3))
  await game.reload([counter(1)])
  await game.handOver()
  expect(await addAll()).toEqual(all(1, 4))
  expect(players.filter(({ kicked }) => kicked !== undefined)).toEqual([])
})

const visits = (schema: TSchema) =>
  defineModule({
    name: 'visits',
    api: 1,
    declare: { player: { schema: Type.Object({ visits: schema }) } },
    on: {
      joined: ({ player, isResumed }) => {
        const data = player.data as { visits: number | string }
        if (isResumed) return
        if (typeof data.visits === 'number') data.visits += 1
        else data.visits = 'once'
        player.tell(`Visit ${data.visits}.`)
      },
    },
  })
const counted = () => visits(Type.Integer({ default: 0 }))
const worded = () => visits(Type.String({ default: 'none' }))

it('gives a player their data back when the file before an unreadable schema is back', async () => {
  const game = await start([counted()])
  const names = ['Ada', 'Bob', 'Cy']
  for (const name of names) await (await game.join(name)).leave()
  const ada = await game.join('Ada')
  expect(ada.told).toEqual(['Visit 2.'])
  await game.tick(20)
  await game.reload([worded()], { yes: true })
  await ada.leave()
  for (const name of names) await (await game.join(name)).leave()
  await game.tick(20)
  const texts = game.log.map(({ text, fields }) => `${text} ${JSON.stringify(fields)}`)
  expect(texts.filter((text) => text.includes('module-set-aside'))).toHaveLength(1)
  const boss = await game.join('Boss', { permissions: ['command.modules'] })
  expect((await boss.command('/modules')).text).toContain('3 values are set aside: the page of the module in the console')
  await game.reload([counted()], { yes: true })
  expect((await game.join('Ada')).told).toEqual(['Visit 3.'])
  await game.restart()
  for (const name of ['Bob', 'Cy']) expect((await game.join(name)).told).toEqual(['Visit 2.'])
})

it('gives a connected player their data back', async () => {
  const game = await start([counted()])
  const ada = await game.join('Ada')
  await game.tick(20 * 10)
  await game.reload([worded()], { yes: true })
  await game.reload([counted()], { yes: true })
  await ada.leave()
  expect((await game.join('Ada')).told).toEqual(['Visit 2.'])
})

it('restarts with stored values only', async () => {
  const shop = defineModule({
    name: 'shop',
    api: 1,
    declare: {
      player: { schema: Type.Object({ coins: Type.Integer({ default: 10 }) }) },
      records: { sales: { schema: Type.Object({ item: Type.String() }) } },
      messages: {
        spend: { params: Type.Object({}), reply: Type.Integer() },
        buy: { params: Type.Object({}), reply: Type.Integer() },
      },
    },
    receive: {
      spend: (player) => (player.data.coins -= 1),
      buy: (player, _params, game) => {
        player.data.coins -= 3
        const { coins } = player.data
        return game.later(
          () => game.records.sales.put(player.id, { item: 'apple' }),
          () => coins,
        )
      },
    },
  })
  const game = await start([shop])
  const ada = await game.join('Ada')
  expect(await ada.call('buy', {})).toBe(7)
  const works = game.storeFails()
  expect(await ada.call('spend', {})).toBe(6)
  works()
  await game.restart()
  expect(await ada.call('spend', {})).toBe(6)
  await game.handOver()
  expect(await ada.call('spend', {})).toBe(5)
})
