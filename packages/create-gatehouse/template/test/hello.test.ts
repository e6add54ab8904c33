import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestGame } from 'gatehouse/module/testing'
import hello from '../modules/hello.ts'

test('greets players who join', async () => {
  const game = await startTestGame({ modules: [hello] })
  const ada = await game.join('Ada')
  assert.deepEqual(ada.told, ['Hello, Ada.'])
  await game.stop()
})
