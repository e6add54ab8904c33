import { afterEach, describe, expect, it } from '@jest/globals'
import { startTestGame } from 'gatehouse/module/testing'
import spleef from '../../modules/spleef/module.ts'

const zones = [{ name: 'Spleef', from: { x: 0, z: 0 }, to: { x: 15, z: 15 } }]
let stop = async (): Promise<void> => {}
afterEach(() => stop())

const startRound = async () => {
  const game = await startTestGame({ modules: [spleef], world: { zones } })
  stop = game.stop
  await game.snapshot('Spleef')
  const ada = await game.join('Ada', { at: { x: 5.5, y: 64, z: 5.5 } })
  const bob = await game.join('Bob', { at: { x: 8.5, y: 64, z: 5.5 } })
  for (const [player, line] of [
    [ada, '/spleef join red'],
    [bob, '/spleef join blue'],
    [ada, '/spleef start'],
  ] as const)
    expect(await player.command(line)).toMatchObject({ ok: true })
  return { game, ada, bob }
}

describe('spleef', () => {
  it('ends a round when a team has fallen, and restores the floor', async () => {
    const { game, ada, bob } = await startRound()
    const hole = { x: 8, y: 63, z: 5 }
    expect(await ada.edit([{ ...hole, type: 'air' }])).toEqual({ ok: true, reason: '' })
    expect(game.blockAt(hole)).toBe('air')
    await bob.walk({ y: 63 })
    await game.tick(2)
    expect(bob.place).toMatchObject({ x: 0.5, y: 70, z: 0.5 })
    expect(ada.told.slice(-2)).toEqual(['Bob is out.', 'Team red wins: red 1, blue 0.'])
    expect(await ada.command('/spleef score')).toEqual({ ok: true, text: 'Red 1, blue 0. You: 1.' })
    for (let ticks = 0; ticks < 400 && game.blockAt(hole) === 'air'; ticks += 1) await game.tick()
    expect(game.blockAt(hole)).toBe('grass')
    expect(game.log).toEqual([])
  })

  it('refuses digging outside of a round, and building', async () => {
    const { game, ada } = await startRound()
    const eve = await game.join('Eve', { at: { x: 6.5, y: 64, z: 8.5 } })
    expect(await eve.edit([{ x: 6, y: 63, z: 8, type: 'air' }])).toEqual({
      ok: false,
      module: 'spleef',
      reason: 'Only players of a round can dig here.',
    })
    expect(await ada.edit([{ x: 6, y: 64, z: 5, type: 'stone' }])).toEqual({
      ok: false,
      module: 'spleef',
      reason: 'Dig, do not build.',
    })
    expect(await eve.command('/spleef join red')).toMatchObject({ ok: false, text: 'A round is running. Wait for its end.' })
  })

  it('ends the round when a team leaves the arena', async () => {
    const { game, ada, bob } = await startRound()
    await bob.leave()
    await game.tick(2)
    expect(ada.told.at(-1)).toBe('Team red wins: red 1, blue 0.')
  })
})
