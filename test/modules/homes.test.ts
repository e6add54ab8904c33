import { describe, expect, it } from '@jest/globals'
import { startTestGame } from 'gatehouse/module/testing'
import homes from '../../modules/homes/module.ts'

describe('homes', () => {
  it('takes players to their own home, also after a hand-over', async () => {
    const game = await startTestGame({ modules: [homes] })
    const ada = await game.join('Ada', { at: { x: 5.5, y: 64, z: 0.5 } })
    const bob = await game.join('Bob')
    expect(await ada.command('/sethome')).toMatchObject({ ok: true })
    await ada.walk({ x: 9.5 })
    await game.handOver()
    expect(await ada.command('/home')).toEqual({ ok: true, text: 'Welcome home.' })
    await game.tick()
    expect(ada.place).toMatchObject({ x: 5.5, y: 64, z: 0.5 })
    expect(await bob.command('/home')).toMatchObject({
      ok: false,
      text: 'You have no home yet. Use /sethome at a place you like.',
    })
    await game.stop()
  })
})
