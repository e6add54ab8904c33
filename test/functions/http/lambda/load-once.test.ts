import type { RequestListener } from 'node:http'
import { describe, expect, it } from '@jest/globals'
import { createLambda } from '../../../../functions/http/lambda/create-lambda.ts'
import { loadOnce } from '../../../../functions/http/lambda/load-once.ts'
import { createLambdaContext, createLambdaEvent } from '../../../../infra/lambda-offline/lambda-offline-event.ts'
import { AppError } from '../../../../shared/kernel/errors.ts'

const app: RequestListener = (_req, res) => res.end('hello')
const away = new AppError('unavailable', 'service-unavailable', 'A service does not answer.', { retryAfterSeconds: 1 })

/** Fails once per error, then succeeds. */
const createLoad = (...errors: readonly unknown[]) => {
  const seen = { loads: 0 }
  const load = async () => {
    seen.loads += 1
    if (seen.loads <= errors.length) throw errors[seen.loads - 1]
    return app
  }
  return { seen, load }
}

describe('an app that is loaded once', () => {
  it('is the same for concurrent and later callers', async () => {
    const { seen, load } = createLoad()
    const loadApp = loadOnce(load)
    expect(await Promise.all([loadApp(), loadApp()])).toEqual([app, app])
    expect(await loadApp()).toBe(app)
    expect(seen.loads).toBe(1)
  })

  it('is loaded again after a dependency was unavailable', async () => {
    const { seen, load } = createLoad(away, away)
    const loadApp = loadOnce(load)
    expect(await loadApp()).not.toBe(app)
    expect(await loadApp()).not.toBe(app)
    expect(await loadApp()).toBe(app)
    expect(seen.loads).toBe(3)
  })

  it('answers 503 with Retry-After in the usual error form until its dependency is back', async () => {
    const lambda = createLambda(createLoad(away).load)
    const event = createLambdaEvent({ method: 'GET', target: '/auth/me?query=1', headers: { 'x-request-id': 'mine' } })
    const answer = await lambda(event, createLambdaContext())
    expect(answer).toMatchObject({
      statusCode: 503,
      headers: {
        'retry-after': '1',
        'content-type': 'application/problem+json',
        'cache-control': 'no-store',
        'x-request-id': 'mine',
        'x-content-type-options': 'nosniff',
      },
    })
    expect(JSON.parse(answer.body ?? '')).toEqual({
      type: '/problems/service-unavailable',
      title: expect.any(String),
      status: 503,
      detail: 'A service does not answer.',
      instance: '/auth/me',
    })
    expect(await lambda(createLambdaEvent({ method: 'GET', target: '/' }), createLambdaContext())).toMatchObject({
      statusCode: 200,
      body: 'hello',
    })
  })

  it('fails the call for every other reason, so that the failure is visible', async () => {
    const broken = new AppError('invalid', 'invalid-config', 'The settings are not safe.')
    const loadApp = loadOnce(createLoad(broken, new Error('mine')).load)
    await expect(loadApp()).rejects.toBe(broken)
    await expect(loadApp()).rejects.toThrow('mine')
    expect(await loadApp()).toBe(app)
  })
})
