import { afterEach, describe, expect, it } from '@jest/globals'
import { authRoutes } from '../../functions/auth/routes.ts'
import type { Route } from '../../functions/http/route.ts'
import { createLambdaApp } from '../../functions/lambda-app.ts'
import { createServiceRoutes } from '../../functions/service/routes.ts'
import { streamRoutes } from '../../functions/streams/routes.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { createHttpFixture } from '../support/http/http-fixture.ts'
import { openLambdaDoor } from '../support/http/lambda-door.ts'

describe('the app of a resumed Lambda that cannot check for a reload of the configs', () => {
  let fixture: Awaited<ReturnType<typeof createHttpFixture>>
  afterEach(() => fixture.close())

  const ask = async (routes: readonly Route[], path: string) => {
    fixture = await createHttpFixture()
    const catchUp = async () => {
      throw new AppError('unavailable', 'service-unavailable', 'Not now.')
    }
    const deps = { ...fixture.deps, configs: { ...fixture.deps.configs, catchUp } }
    const door = await openLambdaDoor(createLambdaApp(routes, deps))
    fixture.clock.advance(60_000)
    return (await door.send('GET', path, {}, undefined)).status
  }

  it.each([
    [authRoutes, '/auth/me'],
    [authRoutes, '/api/auth/config'],
    [streamRoutes, '/api/admin/chunks/discovered'],
  ] as const)('answers 503 instead of using outdated configs: %#', async (routes, path) => {
    expect(await ask(routes, path)).toBe(503)
  })

  it('still answers its health checks', async () => {
    expect(
      await ask(
        createServiceRoutes(async () => []),
        '/healthz',
      ),
    ).toBe(200)
  })
})
