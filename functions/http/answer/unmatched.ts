import type { ErrorRequestHandler, RequestHandler } from 'express'
import { AppError } from '../../../shared/kernel/errors.ts'
import type { HttpDeps } from '../../deps.ts'
import { clientAddressOf } from '../request/client-address-of.ts'
import type { RequestLimits } from '../request/limit-requests.ts'
import { contextOf } from '../request/request-context.ts'
import type { Method } from '../route.ts'
import type { Respond } from './respond.ts'

/** Notes that an address exists and what it takes, for those who asked with another method. */
export const noteAllowed = (path: string, methods: ReadonlySet<Method>): RequestHandler => {
  const names = [...methods].flatMap((method) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]))
  return (_req, res, next) => {
    contextOf(res).routePath = path
    res.locals.allowed = [...(res.locals.allowed ?? []), ...names]
    next()
  }
}

/** Counts a request that no route took by its address; no credential was looked at. */
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

/** What no route took: OPTIONS gets its `Allow`, another wrong method 405, an unknown address 404, with a page of links for browsers. */
export const answerUnmatched =
  (respond: Respond): RequestHandler =>
  async (req, res) => {
    const allowed: readonly string[] | undefined = res.locals.allowed
    if (allowed === undefined) {
      contextOf(res).isForPeople = true
      respond.fail(req, res, new AppError('not-found', 'not-found', 'Nothing answers to this address.'))
      return
    }
    const allow = [...new Set(allowed), 'OPTIONS'].join(', ')
    if (req.method === 'OPTIONS') {
      await respond.reply(req, res, { status: 204, headers: { Allow: allow } })
      return
    }
    res.setHeader('Allow', allow)
    respond.fail(req, res, new AppError('invalid', 'method-not-allowed', `This address takes ${allow}.`))
  }

const isUndecodable = (error: unknown): boolean => error instanceof URIError

/** Where names of any form stand, below a wildcard: `/api/admin/configs/`. */
const listNamespaces = (paths: Iterable<string>): readonly string[] =>
  [...paths].flatMap((path) => (path.includes('*') ? [path.slice(0, path.indexOf('*'))] : []))

/**
 * What express itself stumbled over: paths that do not decode are the client's, everything else ours. Below a wildcard of `paths` a
 * name that does not decode is one that is not there, as any other that leads nowhere.
 */
export const answerError = (respond: Respond, paths: Iterable<string>): ErrorRequestHandler => {
  const namespaces = listNamespaces(paths)
  const describeUndecodable = (path: string, cause: unknown): AppError =>
    namespaces.some((namespace) => path.startsWith(namespace))
      ? new AppError('not-found', 'not-found', 'Nothing answers to this address.', { cause })
      : new AppError('invalid', 'bad-request', 'The path holds malformed percent-encoding.', { cause })
  return (error, req, res, _next) => respond.fail(req, res, isUndecodable(error) ? describeUndecodable(req.path, error) : error)
}
