import { describe, expect, it } from '@jest/globals'
import { createCleanUp } from '../../../tools/conformance/clean-up.ts'
import { createRedactor } from '../../../tools/conformance/client/http-client.ts'

describe('clean-up', () => {
  it('removes the last entry first, continues after an error, and lists the remaining entries', async () => {
    const cleanUp = createCleanUp()
    const taken: string[] = []
    cleanUp.later('a', async () => void taken.push('a'))
    cleanUp.later('b', async () => {
      throw new Error('it is held')
    })
    cleanUp.later('c', async () => void taken.push('c'))
    cleanUp.stays('d')
    expect(await cleanUp.run()).toEqual(['d', 'b: it is held'])
    expect(taken).toEqual(['c', 'a'])
  })

  it('removes nothing twice', async () => {
    const cleanUp = createCleanUp()
    let times = 0
    cleanUp.later('a', async () => {
      times += 1
    })
    await cleanUp.run()
    await cleanUp.run()
    expect(times).toBe(1)
  })
})

describe('the redactor', () => {
  it('hides registered secrets and every token in an answer', () => {
    const { hide, hideTokens, redact } = createRedactor()
    hide('correct horse')
    hide('')
    hideTokens('{"token": "11111111-2222", "displayName":"x"}')
    hideTokens('https://example.com/#token=33333333-4444&displayName=x')
    expect(redact('a correct horse, 11111111-2222 and 33333333-4444; x')).toBe('a [hidden], [hidden] and [hidden]; x')
  })
})
