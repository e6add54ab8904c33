import { describe, expect, it } from '@jest/globals'
import { startTestGame } from 'gatehouse/module/testing'
import hello from '../../modules/hello/module.ts'

describe('hello', () => {
  it('greets players who join', async () => {
    const game = await startTestGame({ modules: [hello] })
    const ada = await game.join('Ada')
    expect(ada.told).toEqual(['Hello, Ada.'])
    await game.stop()
  })
})
