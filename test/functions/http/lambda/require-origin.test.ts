import type { RequestListener } from 'node:http'
import { describe, expect, it } from '@jest/globals'
import { requireOrigin } from '../../../../functions/http/lambda/require-origin.ts'
import { openLambdaDoor } from '../../../support/http/lambda-door.ts'

const seen: (string | undefined)[] = []
const app: RequestListener = (req, res) => {
  seen.push(String(req.headers['x-origin-secret']))
  res.end('hello')
}

describe('an app with an origin secret', () => {
  const ask = async (headers: Readonly<Record<string, string>>) =>
    (await openLambdaDoor(requireOrigin(app, 'the secret'))).send('GET', '/auth/me', headers, undefined)

  it('answers requests with the secret, and does not pass the secret on', async () => {
    expect(await ask({ 'x-origin-secret': 'the secret' })).toMatchObject({ status: 200, text: 'hello' })
    expect(seen).toEqual(['undefined'])
  })

  it.each([{}, { 'x-origin-secret': '' }, { 'x-origin-secret': 'the secre' }, { 'x-origin-secret': 'another' }])(
    'answers 404 without the right secret: %j',
    async (headers) => {
      const answer = await ask(headers)
      expect(answer).toMatchObject({ status: 404, body: { type: '/problems/not-found', instance: '/auth/me' } })
      expect(answer.headers['x-request-id']).toBeDefined()
    },
  )
})
