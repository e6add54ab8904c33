import { describe, expect, it } from '@jest/globals'
import { startTestGame } from 'gatehouse/module/testing'
import greeter from '../../modules/greeter/module.ts'

describe('greeter', () => {
  it('counts visits, and greets with the configured words', async () => {
    const game = await startTestGame({ modules: [greeter], settings: { greeter: { welcome: 'Ahoy' } } })
    const ada = await game.join('Ada')
    expect(ada.told).toEqual(['Ahoy, Ada.'])
    await ada.leave()
    await game.tick(20)
    expect((await game.join('Ada')).told).toEqual(['Ahoy back, Ada: visit 2.'])
    await game.stop()
  })
})
