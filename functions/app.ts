import type { RequestListener } from 'node:http'
import express, { type RequestHandler } from 'express'
import { clientAddressOf } from '../shared/domain/auth/client-address.ts'
import { accountBanned } from '../shared/domain/sanctions/banned-error.ts'
import { healthPaths } from '../shared/kernel/health-paths.ts'
import type { HttpDeps } from './deps.ts'
import { createRespond, type Respond } from './http/answer/respond.ts'
import { answerError, answerUnmatched, countUnmatched, noteAllowed } from './http/answer/unmatched.ts'
import { type AppMessages, adoptMessages } from './http/app-messages.ts'
import { mount } from './http/mount.ts'
import { crossOrigin } from './http/request/cross-origin.ts'
import { createRequestLimits } from './http/request/limit-requests.ts'
import { paceRequests } from './http/request/pace-requests.ts'
import { startRequest } from './http/request/request-context.ts'
import { securityHeaders } from './http/request/security-headers.ts'
import type { Method, Route } from './http/route.ts'

const methodsByPath = (routes: readonly Route[]): ReadonlyMap<string, ReadonlySet<Method>> => {
  const methods = new Map<string, Set<Method>>()
  for (const { path, method } of routes) methods.set(path, (methods.get(path) ?? new Set()).add(method))
  return methods
}

/** The target of an invalid address: it matches no route. */
const nowhere = '*'

/** Path and query of a request target in absolute form (RFC 9112, section 3.2.2), as a proxy sends it. */
const toOriginForm = (target: string): string => {
  if (!URL.canParse(target)) return nowhere
  const { pathname, search } = new URL(target)
  return pathname.startsWith('/') ? pathname + search : nowhere
}

/** `app`, with every request target in the one form that its router can read. */
const acceptAnyForm =
  (app: RequestListener): RequestListener =>
  (req, res) => {
    if (req.url?.startsWith('/') !== true) req.url = toOriginForm(req.url ?? '')
    app(req, res)
  }

/** Refuses banned addresses before it looks at more than the path of a request. */
const refuseBannedAddresses =
  ({ activeSanctions, configs }: Pick<HttpDeps, 'activeSanctions' | 'configs'>, respond: Respond): RequestHandler =>
  (req, res, next) => {
    const ban = healthPaths.has(req.path) ? undefined : activeSanctions.findAddressBan(clientAddressOf({ configs }, req))
    if (ban === undefined) next()
    else respond.fail(req, res, accountBanned(ban))
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
