import type { RequestListener } from 'node:http'
import express from 'express'
import type { HttpDeps } from './deps.ts'
import { createRespond } from './http/answer/respond.ts'
import { answerError, answerUnmatched, countUnmatched, noteAllowed } from './http/answer/unmatched.ts'
import { type AppMessages, adoptMessages } from './http/app-messages.ts'
import { mount } from './http/mount.ts'
import { crossOrigin } from './http/request/cross-origin.ts'
import { createRequestLimits } from './http/request/limit-requests.ts'
import { acceptAnyForm } from './http/request/origin-form.ts'
import { paceRequests } from './http/request/pace-requests.ts'
import { refuseBannedAddresses } from './http/request/refuse-banned-addresses.ts'
import { startRequest } from './http/request/request-context.ts'
import { securityHeaders } from './http/request/security-headers.ts'
import type { Method, Route } from './http/route.ts'

const methodsByPath = (routes: readonly Route[]): ReadonlyMap<string, ReadonlySet<Method>> => {
  const methods = new Map<string, Set<Method>>()
  for (const { path, method } of routes) methods.set(path, (methods.get(path) ?? new Set()).add(method))
  return methods
}

/**
 * An express app that serves `routes`, behind a socket or as a Lambda. The order of steps is written only here. A server that
 * creates its requests and answers from `messages` needs half the processor time for each.
 */
export const createApp = (
  routes: readonly Route[],
  deps: HttpDeps,
  messages?: AppMessages,
  limits = createRequestLimits(deps),
): RequestListener => {
  const respond = createRespond(deps)
  const app = express()
  if (messages !== undefined) adoptMessages(app, messages)
  app.disable('x-powered-by')
  app.disable('etag')
  app.disable('query parser')
  app.enable('case sensitive routing')
  app.enable('strict routing')

  for (const step of [startRequest(deps), securityHeaders(), crossOrigin(deps), refuseBannedAddresses(deps, respond)])
    app.use(step)
  for (const route of routes) app[route.method](route.path, mount(route, { deps, respond, limits }))
  const methods = methodsByPath(routes)
  // One step for all methods. `app.all` would add about thirty.
  for (const [path, taken] of methods) app.route(path).all(noteAllowed(path, taken))
  app.use(countUnmatched(deps, limits, respond))
  app.use(answerUnmatched(respond))
  app.use(answerError(respond, methods.keys()))
  return paceRequests(acceptAnyForm(app))
}
