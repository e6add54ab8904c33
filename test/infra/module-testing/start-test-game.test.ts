import { afterEach, describe, expect, it } from '@jest/globals'
import { Type } from '@sinclair/typebox'
import { defineModule } from 'gatehouse/module'
import { startTestGame } from 'gatehouse/module/testing'

let stop = async (): Promise<void> => {}
afterEach(() => stop())

const guard = (word: string) =>
  defineModule({
    name: 'guard',
    api: 1,
    declare: { permissions: { 'module.guard.roll': 'Roll.' } },
    decide: {
      edit: ({ changes }, game) =>
        changes.some((change) => game.world.zoneAt(change)?.name === 'Spawn') ? { refuse: `${word} the spawn.` } : undefined,
      chat: ({ text }) => (text.includes('spam') ? { refuse: 'Not here.' } : undefined),
    },
    on: { zoneEntered: ({ player, zone }) => player.tell(`This is ${zone.name}.`) },
    commands: {
      roll: {
        description: 'Rolls a die.',
        forms: [[]],
        permission: 'module.guard.roll',
        run: (_caller, _args, game) => `${game.random.dice('1d6')}`,
      },
    },
  })

const start = async (word = 'Keep') => {
  const zones = [{ name: 'Spawn', from: { x: 0, z: 0 }, to: { x: 15, z: 15 } }]
  const game = await startTestGame({ modules: [guard(word)], world: { zones } })
  stop = game.stop
  return game
}

describe('startTestGame', () => {
  it('answers edits, chat and commands as the server does', async () => {
    const game = await start()
    const ada = await game.join('Ada', { permissions: ['module.guard.roll'], at: { x: 17.5, y: 64, z: 5.5 } })
    expect(await ada.edit([{ x: 15, y: 64, z: 5, type: 'stone' }])).toEqual({
      ok: false,
      module: 'guard',
      reason: 'Keep the spawn.',
    })
    expect(await ada.edit([{ x: 19, y: 64, z: 5, type: 'stone' }])).toEqual({ ok: true, reason: '' })
    expect([game.blockAt({ x: 19, y: 64, z: 5 }), game.blockAt({ x: 15, y: 64, z: 5 })]).toEqual(['stone', 'air'])
    expect(await ada.say('spam')).toEqual({ ok: false, reason: 'Not here.' })
    expect(await ada.say('Hello.')).toEqual({ ok: true, reason: '' })
    expect(ada.heard).toEqual(['Ada: Hello.'])
    expect(await ada.command('/roll')).toEqual({ ok: true, text: expect.stringMatching(/^[1-6]$/) })
    expect(await ada.command('nothing')).toMatchObject({ ok: false })
  })

  it('gives players the permissions that a test names, and no others', async () => {
    const game = await start()
    const bob = await game.join('Bob')
    expect(await bob.command('/roll')).toMatchObject({ ok: false, text: 'You do not have access to /roll.' })
  })

  it('rolls the same numbers for the same seed', async () => {
    const rolls: string[] = []
    for (let round = 0; round < 2; round += 1) {
      const game = await start()
      const ada = await game.join('Ada', { permissions: ['module.guard.roll'] })
      rolls.push((await ada.command('/roll')).text)
      await game.stop()
    }
    stop = async () => {}
    expect(rolls[0]).toBe(rolls[1])
  })

  it('walks into a zone', async () => {
    const game = await start()
    const ada = await game.join('Ada', { at: { x: 17.5, y: 64, z: 0.5 } })
    expect(await ada.walk({ x: 14.5 })).toMatchObject({ x: 14.5, y: 64, z: 0.5 })
    expect(ada.told.at(-1)).toBe('This is Spawn.')
  })

  it('replaces modules without a disconnection, and hands players over to the next node', async () => {
    const game = await start()
    const ada = await game.join('Ada', { at: { x: 17.5, y: 64, z: 5.5 } })
    await game.reload([guard('Leave')])
    const refused = { ok: false, module: 'guard', reason: 'Leave the spawn.' }
    expect(await ada.edit([{ x: 15, y: 64, z: 5, type: 'stone' }])).toEqual(refused)
    expect(await ada.edit([{ x: 19, y: 64, z: 5, type: 'stone' }])).toMatchObject({ ok: true })
    await game.handOver()
    expect(ada).toMatchObject({ kicked: undefined, place: { x: 17.5, z: 5.5 } })
    expect(await ada.edit([{ x: 15, y: 64, z: 5, type: 'stone' }])).toEqual(refused)
    await game.tick(20)
    expect(game.blockAt({ x: 19, y: 64, z: 5 })).toBe('stone')
    expect(game.states()).toMatchObject([{ name: 'guard', state: 'running', faults: 0 }])
    expect(game.log).toEqual([])
  })

  it('measures the cost of a module, and reports its faults', async () => {
    const busy = defineModule({
      name: 'busy',
      api: 1,
      on: {
        tick: () => {
          const endMs = performance.now() + 1
          while (performance.now() < endMs);
        },
        said: () => {
          throw new Error('no words')
        },
      },
    })
    const game = await startTestGame({ modules: [busy] })
    stop = game.stop
    await game.tick(40)
    expect(game.cost('busy')).toBeGreaterThan(0.5)
    const ada = await game.join('Ada')
    await ada.say('Hello.')
    await game.tick()
    expect(game.states()).toMatchObject([{ name: 'busy', faults: 1, fault: expect.stringContaining('no words') }])
    expect(game.log).toHaveLength(1)
  })

  it('goes on while the store is away: a record is refused, and data of players is written later', async () => {
    const shop = defineModule({
      name: 'shop',
      api: 1,
      declare: {
        player: { schema: Type.Object({ coins: Type.Integer({ default: 10 }) }) },
        records: { sales: { schema: Type.Object({ by: Type.String() }) } },
        messages: {
          spend: { params: Type.Object({}), reply: Type.Integer() },
          buy: { params: Type.Object({}), reply: Type.Boolean() },
          ask: { params: Type.Object({}), reply: Type.Boolean() },
        },
      },
      receive: {
        spend: (player) => {
          player.data.coins -= 1
          return player.data.coins
        },
        buy: (player, _params, game) =>
          game.later(
            () => game.records.sales.put('1', { by: player.id }),
            () => true,
          ),
        ask: (player, _params, game) =>
          game.later(
            () => game.records.sales.put('1', { by: player.id }),
            () => true,
            () => ({ refuse: 'The shop is closed for a moment.' }),
          ),
      },
    })
    const game = await startTestGame({ modules: [shop] })
    stop = game.stop
    const ada = await game.join('Ada')
    const works = game.storeFails()
    await expect(ada.call('buy', {})).rejects.toMatchObject({ code: 'module-failed' })
    await expect(ada.call('ask', {})).rejects.toMatchObject({ message: 'The shop is closed for a moment.' })
    expect(await ada.call('spend', {})).toBe(9)
    await game.tick(20 * 20)
    expect(await ada.call('spend', {})).toBe(8)
    works()
    await game.handOver()
    expect(await ada.call('spend', {})).toBe(7)
    expect(await ada.call('buy', {})).toBe(true)
  })

  it('throws the fault of a module that does not load', async () => {
    const broken = defineModule({ name: 'Broken Name', api: 1 })
    await expect(startTestGame({ modules: [broken] })).rejects.toThrow('The module Broken Name does not load. ')
    const shop = defineModule({ name: 'shop', api: 1 })
    await expect(startTestGame({ modules: [shop], settings: { shopp: {} } })).rejects.toThrow(
      'settings has "shopp", which is not in modules. Did you mean "shop"?',
    )
  })

  it('rejects at the end if a listener failed and the test did not look', async () => {
    const faulty = defineModule({
      name: 'faulty',
      api: 1,
      on: {
        joined: () => {
          throw new Error('nobody sees this')
        },
      },
    })
    const unseen = await startTestGame({ modules: [faulty] })
    await unseen.join('Ada')
    await expect(unseen.stop()).rejects.toThrow('on.joined of the module faulty: nobody sees this (')
    const seen = await startTestGame({ modules: [faulty] })
    await seen.join('Ada')
    expect(seen.log[0]?.fields).toMatchObject({ where: expect.stringMatching(/start-test-game\.test\.ts:\d+:\d+$/) })
    await seen.stop()
  })

  it('asks a player who joins while the store fails to try again', async () => {
    const game = await start()
    const works = game.storeFails()
    const ada = await game.join('Ada')
    expect(ada.kicked).toMatch(/again/)
    works()
    expect((await game.join('Ada')).kicked).toBeUndefined()
  })

  it('refuses unknown keys of messages with the closest key', async () => {
    const messages = {
      count: { params: Type.Object({ item: Type.String(), count: Type.Optional(Type.Integer()) }), reply: Type.Integer() },
      any: { params: Type.Object({}, { additionalProperties: true }) },
    }
    const receive = { count: (_: unknown, { count = 1 }: { count?: number }) => count, any: () => undefined }
    const game = await startTestGame({ modules: [defineModule({ name: 'shop', api: 1, declare: { messages }, receive })] })
    stop = game.stop
    const ada = await game.join('Ada')
    const slip = { item: 'apple', cuont: 2 }
    await expect(ada.call('count', slip)).rejects.toMatchObject({
      code: 'invalid-message',
      pointer: '/cuont',
      message: expect.stringContaining('Did you mean "count"?'),
    })
    expect(await ada.call('count', { item: 'apple' })).toBe(1)
    expect(await ada.call('any', slip)).toBeUndefined()
  })
})
