import { describe, expect, it } from '@jest/globals'
import { defineModule } from 'gatehouse/module'
import { startTestGame } from 'gatehouse/module/testing'

const spin = (): void => {
  for (;;);
}
const fail = (): never => {
  throw new Error('broken on purpose')
}

/** Modules with one fault each. */
const faulty = [
  defineModule({ name: 'loops-in-tick', api: 1, on: { tick: spin } }),
  defineModule({ name: 'loops-in-timer', api: 1, on: { start: (_event, game) => game.every(200, spin) } }),
  defineModule({ name: 'loops-in-decide', api: 1, decide: { edit: spin } }),
  defineModule({ name: 'throws-in-tick', api: 1, on: { tick: fail } }),
  defineModule({ name: 'throws-in-start', api: 1, on: { start: fail, stop: fail, joined: fail, said: fail } }),
  defineModule({
    name: 'fills-timers',
    api: 1,
    on: {
      tick: (_event, game) => {
        for (let count = 0; count < 100; count += 1) game.every(1, () => undefined)
      },
    },
  }),
  defineModule({ name: 'rejects-later', api: 1, on: { said: (_event, game) => game.later(async () => fail(), fail, fail) } }),
  defineModule({
    name: 'floods',
    api: 1,
    on: {
      said: ({ player }) => {
        for (let count = 0; count < 1000; count += 1) player.tell('flood')
      },
    },
  }),
]

describe('eight faulty modules', () => {
  it('are switched off or report faults, while players stay and edits are kept', async () => {
    const sound = defineModule({
      name: 'sound',
      api: 1,
      on: { joined: ({ player }) => player.tell('Hello.') },
      commands: { ping: { description: 'Answers.', forms: [[]], permission: 'none', run: () => 'pong' } },
    })
    const game = await startTestGame({ modules: [...faulty, sound] })
    const players = []
    for (let index = 0; index < 20; index += 1) players.push(await game.join(`Player ${index}`))
    for (const [index, player] of players.entries()) {
      const block = { x: index % 4, y: 64 + Math.floor(index / 4), z: 2, type: 'stone' }
      const { ok } = await player.edit([block])
      if (index > 0) expect([index, ok]).toEqual([index, true])
      await player.say(`Line ${index}`)
    }
    await game.tick(120)
    const states = new Map(game.states().map(({ name, state }) => [name, state]))
    for (const name of ['loops-in-tick', 'loops-in-timer', 'loops-in-decide', 'throws-in-tick'])
      expect([name, states.get(name)]).toEqual([name, 'off'])
    expect(states.get('sound')).toBe('running')
    expect(players.filter(({ kicked }) => kicked !== undefined)).toEqual([])
    for (const index of players.keys())
      if (index > 0) expect(game.blockAt({ x: index % 4, y: 64 + Math.floor(index / 4), z: 2 })).toBe('stone')
    expect(await players[0]?.command('/ping')).toEqual({ ok: true, text: 'pong' })
    await game.stop()
  })
})
