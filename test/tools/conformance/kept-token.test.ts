import { expect, it } from '@jest/globals'
import { createKeptToken } from '../../../tools/conformance/fixtures/player.ts'

it('a cached token is the same for five minutes, and then that of another sign-in', async () => {
  let ms = 0
  let signIns = 0
  const token = createKeptToken(
    () => ms,
    async () => {
      signIns += 1
      return `token ${signIns}`
    },
  )
  expect([await token(), await token()]).toEqual(['token 1', 'token 1'])
  ms = 5 * 60 * 1000 + 1
  expect([await token(), await token()]).toEqual(['token 2', 'token 2'])
})
