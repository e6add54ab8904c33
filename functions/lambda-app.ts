import type { RequestListener } from 'node:http'
import type { RawEnvironment } from '../shared/kernel/env.ts'
import { createApp } from './app.ts'
import { createHttpDeps } from './create-deps.ts'
import { requireOrigin } from './http/require-origin.ts'
import type { Route } from './http/route.ts'

/** The app of a Lambda, made from its environment; where `ORIGIN_SECRET` is set, for requests only that bring it along. */
export const openLambdaApp = async (routes: readonly Route[], raw: RawEnvironment): Promise<RequestListener> => {
  const app = createApp(routes, await createHttpDeps(raw))
  const { ORIGIN_SECRET: secret } = raw
  return secret === undefined || secret === '' ? app : requireOrigin(app, secret)
}
