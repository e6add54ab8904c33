import type { ErrorRequestHandler, RequestHandler } from 'express'
import { clientAddressOf } from '../../../shared/domain/auth/client-address.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import type { HttpDeps } from '../../deps.ts'
import type { RequestLimits } from '../request/limit-requests.ts'
import { contextOf } from '../request/request-context.ts'
import type { Method } from '../route.ts'
import type { Respond } from './respond.ts'

/** Registers the methods of an address, for requests with another method. */
export const noteAllowed = (path: string, methods: ReadonlySet<Method>): RequestHandler => {
  const names = [...methods].flatMap((method) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]))
  return (_req, res, next) => {
    contextOf(res).routePath = path
    res.locals.allowed = [...(res.locals.allowed ?? []), ...names]
    next()
  }
}

/** Counts a request without a matching route by its address. Its credential is not checked. */
export const countUnmatched =
  (deps: Pick<HttpDeps, 'configs'>, limits: Pick<RequestLimits, 'ofAddress'>, respond: Respond): RequestHandler =>
  async (req, res, next) => {
    try {
      await limits.ofAddress(clientAddressOf(deps, req))
    } catch (error) {
      respond.fail(req, res, error)
      return
    }
    next()
  }

/**
 * Answers requests without a matching route: OPTIONS with `Allow`, a wrong method with 405, an unknown address with 404.
 * Browsers get a page of links.
 */
export const answerUnmatched =
  (respond: Respond): RequestHandler =>
  async (req, res) => {
    const allowed: readonly string[] | undefined = res.locals.allowed
    if (allowed === undefined) {
      contextOf(res).isForPeople = true
      respond.fail(req, res, new AppError('not-found', 'not-found', 'There is nothing at this address.'))
      return
    }
    const allow = [...new Set(allowed), 'OPTIONS'].join(', ')
    if (req.method === 'OPTIONS') {
      await respond.reply(req, res, { status: 204, headers: { Allow: allow } })
      return
    }
    res.setHeader('Allow', allow)
    respond.fail(req, res, new AppError('invalid', 'method-not-allowed', `This address accepts ${allow}.`))
  }

const isUndecodable = (error: unknown): boolean => error instanceof URIError

/** The parts before a wildcard, where names of any form follow: `/api/admin/configs/`. */
const listNamespaces = (paths: Iterable<string>): readonly string[] =>
  [...paths].flatMap((path) => (path.includes('*') ? [path.slice(0, path.indexOf('*'))] : []))

/**
 * Answers errors of express itself: paths that do not decode are the client's fault, all others are ours. Below a wildcard of
 * `paths`, a name that does not decode gets a 404 like any unknown name.
 */
export const answerError = (respond: Respond, paths: Iterable<string>): ErrorRequestHandler => {
  const namespaces = listNamespaces(paths)
  const describeUndecodable = (path: string, cause: unknown): AppError =>
    namespaces.some((namespace) => path.startsWith(namespace))
      ? new AppError('not-found', 'not-found', 'There is nothing at this address.', { cause })
      : new AppError('invalid', 'bad-request', 'The path contains malformed percent-encoding.', { cause })
  return (error, req, res, _next) => respond.fail(req, res, isUndecodable(error) ? describeUndecodable(req.path, error) : error)
}
