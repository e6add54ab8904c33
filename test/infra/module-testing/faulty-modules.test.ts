import { describe, expect, it } from '@jest/globals'
import { defineModule } from 'gatehouse/module'
import { startTestGame } from 'gatehouse/module/testing'
import { faultyModules } from '../../support/modules/faulty-modules.ts'

/** The module that loops in `decide` refuses the first edit. On an overloaded machine it refuses up to three. */
const refusedMax = 3

describe('eight faulty modules', () => {
  it('are switched off or report faults, while players stay and edits are kept', async () => {
    const sound = defineModule({
      name: 'sound',
      api: 1,
      on: { joined: ({ player }) => player.tell('Hello.') },
      commands: { ping: { description: 'Answers.', forms: [[]], permission: 'none', run: () => 'pong' } },
    })
    const game = await startTestGame({ modules: [...faultyModules, sound] })
    const players = []
    for (let index = 0; index < 20; index += 1) players.push(await game.join(`Player ${index}`))
    for (const [index, player] of players.entries()) {
      const block = { x: index % 4, y: 64 + Math.floor(index / 4), z: 2, type: 'stone' }
      const { ok } = await player.edit([block])
      if (index >= refusedMax) expect([index, ok]).toEqual([index, true])
      await player.say(`Line ${index}`)
    }
    await game.tick(120)
    const states = new Map(game.states().map(({ name, state }) => [name, state]))
    for (const name of ['loops-in-tick', 'loops-in-timer', 'loops-in-decide', 'throws-in-tick'])
      expect([name, states.get(name)]).toEqual([name, 'off'])
    expect(states.get('sound')).toBe('running')
    expect(players.filter(({ kicked }) => kicked !== undefined)).toEqual([])
    for (const index of players.keys())
      if (index >= refusedMax) expect(game.blockAt({ x: index % 4, y: 64 + Math.floor(index / 4), z: 2 })).toBe('stone')
    expect(await players[0]?.command('/ping')).toEqual({ ok: true, text: 'pong' })
    await expect(game.stop()).rejects.toThrow('on.stop of the module throws-in-start: broken on purpose')
  })
})
