import { describe, expect, it } from '@jest/globals'
import type { ALBEvent } from 'aws-lambda'
import { createLambda } from '../../../../functions/http/lambda/create-lambda.ts'
import { createLambdaContext, createLambdaEvent } from '../../../../infra/lambda-offline/lambda-offline-event.ts'

const event = createLambdaEvent({ method: 'GET', target: '/' })
const context = createLambdaContext()

describe('a Lambda', () => {
  it('builds its app at the first event, and only once', async () => {
    let builds = 0
    const lambda = createLambda(async () => {
      builds += 1
      return (_req, res) => res.end('hello')
    })
    expect(builds).toBe(0)
    const answers = await Promise.all([lambda({ ...event }, context), lambda({ ...event }, context)])
    expect(answers).toMatchObject([
      { statusCode: 200, body: 'hello' },
      { statusCode: 200, body: 'hello' },
    ])
    expect(builds).toBe(1)
  })

  it('builds its app again after a failure', async () => {
    let builds = 0
    const lambda = createLambda(async () => {
      builds += 1
      if (builds === 1) throw new Error('no Redis yet')
      return (_req, res) => res.end('hello')
    })
    await expect(lambda({ ...event }, context)).rejects.toThrow('no Redis yet')
    expect(await lambda({ ...event }, context)).toMatchObject({ statusCode: 200 })
  })
})

describe('a Lambda behind a load balancer', () => {
  const albEvent: ALBEvent = {
    requestContext: { elb: { targetGroupArn: 'arn:aws:elasticloadbalancing:eu-central-1:000000000000:targetgroup/id' } },
    httpMethod: 'GET',
    path: '/seen',
    queryStringParameters: { a: '1' },
    headers: { host: 'play.example.org', cookie: 'one=1; two=2' },
    body: '',
    isBase64Encoded: false,
  }
  const echo = createLambda(
    async () => (req, res) => res.end(JSON.stringify({ url: req.url, host: req.headers.host, cookie: req.headers.cookie })),
  )

  it('answers its event', async () => {
    const { statusCode, body = '' } = await echo(albEvent, context)
    expect(statusCode).toBe(200)
    expect(JSON.parse(body)).toEqual({ url: '/seen?a=1', host: 'play.example.org', cookie: 'one=1; two=2' })
  })

  it('joins several Cookie headers with a semicolon', async () => {
    const { headers, queryStringParameters, ...rest } = albEvent
    const multiValueHeaders = { host: ['play.example.org'], cookie: ['one=1', 'two=2; three=3'], accept: ['a/b', 'c/d'] }
    const { body = '' } = await echo({ ...rest, multiValueHeaders, multiValueQueryStringParameters: { a: ['1'] } }, context)
    expect(JSON.parse(body)).toEqual({ url: '/seen?a=1', host: 'play.example.org', cookie: 'one=1; two=2; three=3' })
  })
})
