import { describe, expect, it } from '@jest/globals'
import { createLambda } from '../../../../functions/http/lambda/create-lambda.ts'

const event = {
  version: '2.0',
  rawPath: '/',
  rawQueryString: '',
  headers: {},
  requestContext: { http: { method: 'GET', path: '/', sourceIp: '127.0.0.1' } },
  isBase64Encoded: false,
}

describe('a Lambda', () => {
  it('builds its app at the first event, once for any number of them', async () => {
    let builds = 0
    const lambda = createLambda(async () => {
      builds += 1
      return (_req, res) => res.end('hello')
    })
    expect(builds).toBe(0)
    const answers = await Promise.all([lambda({ ...event }, {}), lambda({ ...event }, {})])
    expect(answers).toMatchObject([
      { statusCode: 200, body: 'hello' },
      { statusCode: 200, body: 'hello' },
    ])
    expect(builds).toBe(1)
  })

  it('builds it again after it could not be built', async () => {
    let builds = 0
    const lambda = createLambda(async () => {
      builds += 1
      if (builds === 1) throw new Error('no Redis yet')
      return (_req, res) => res.end('hello')
    })
    await expect(lambda({ ...event }, {})).rejects.toThrow('no Redis yet')
    expect(await lambda({ ...event }, {})).toMatchObject({ statusCode: 200 })
  })
})
