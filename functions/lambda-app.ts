import type { RequestListener } from 'node:http'
import type { RawEnvironment } from '../shared/platform/process/environment.ts'
import { createApp } from './app.ts'
import type { HttpDeps } from './deps.ts'
import { createHttpDeps } from './deps.ts'
import { catchUpFirst } from './http/lambda/catch-up-first.ts'
import type { LambdaApp } from './http/lambda/load-once.ts'
import { requireOrigin } from './http/lambda/require-origin.ts'
import { createRequestLimits } from './http/request/limit-requests.ts'
import type { Route } from './http/route.ts'

/**
 * Creates the app of a Lambda for `routes`. With an `originSecret` it only accepts requests that carry it. Public routes
 * (`/healthz`, `/readyz`, the documentation) use the configs in memory, even if services are unavailable.
 */
export const createLambdaApp = (routes: readonly Route[], deps: HttpDeps, originSecret?: string): RequestListener => {
  const plain = createApp(routes, deps, undefined, createRequestLimits(deps, { isOneAtATime: true }))
  const app = routes.some(({ permission }) => permission !== 'none') ? catchUpFirst(plain, deps) : plain
  return originSecret === undefined || originSecret === '' ? app : requireOrigin(app, originSecret)
}

/**
 * The same, created from its environment with its `ORIGIN_SECRET`. Traces of an answer are exported before the process is
 * frozen.
 */
export const openLambdaApp = async (routes: readonly Route[], raw: RawEnvironment): Promise<LambdaApp> => {
  const deps = await createHttpDeps(raw)
  return Object.assign(createLambdaApp(routes, deps, raw.ORIGIN_SECRET), { settle: deps.flush })
}
