import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express'
import type { Route } from './route.ts'

type Steps = {
  /** In their order, before the route. */
  readonly before: readonly RequestHandler[]
  readonly onError: ErrorRequestHandler
}

/** Whether its path is one address, as it is written, or one but for an id before its last part, as of a zone's blocks. */
const isShort = ({ path }: Route): boolean => /^[^:*]*(?:\/:id\/[^/:*]+)?$/.test(path)

/** In place of an id: no address holds a space. */
const anyId = ' '

/** An address whose last part but one is a UUID, which decodes to itself. */
const withId = /^(.*\/)([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(\/[^/]+)$/

const endOfPath = (target: string): number => {
  const at = target.indexOf('?')
  return at === -1 ? target.length : at
}

/**
 * Takes a request to the route that has its method and path, a UUID for an `:id` before its last part included, by the same steps and handlers as express; false for every other request.
 * Express would ask a hundred routes first. Request and answer must have the prototypes of the app already.
 */
export const createShortCut = (routes: ReadonlyMap<Route, RequestHandler>, { before, onError }: Steps) => {
  const handlers = new Map<string, readonly RequestHandler[]>()
  for (const [route, handler] of routes)
    if (isShort(route)) handlers.set(`${route.method.toUpperCase()} ${route.path.replace(':id', anyId)}`, [...before, handler])

  const run = (steps: readonly RequestHandler[], req: Request, res: Response, at: number): void => {
    const fail = (error: unknown): void => {
      try {
        onError(error, req, res, () => undefined)
      } catch {
        // It cannot even be told: as with express, this one answer ends, and nothing else.
        res.destroy()
      }
    }
    const step = steps[at]
    // A route that neither answers nor fails would leave the request open for good.
    if (step === undefined) {
      fail(new Error('the route went on to no other'))
      return
    }
    try {
      const done = step(req, res, (error?: unknown) => {
        if (error === undefined) run(steps, req, res, at + 1)
        else fail(error)
      })
      // Most steps are over by now, and five promises for each request would be felt.
      if (done instanceof Promise) done.catch(fail)
    } catch (error) {
      fail(error)
    }
  }

  return (message: IncomingMessage, answer: ServerResponse): boolean => {
    const { method = '', url = '' } = message
    const path = url.slice(0, endOfPath(url))
    let steps = handlers.get(`${method} ${path}`)
    let params: Record<string, string> = {}
    if (steps === undefined) {
      const [, before, id, after] = withId.exec(path) ?? []
      if (id === undefined) return false
      steps = handlers.get(`${method} ${before}${anyId}${after}`)
      params = { id }
    }
    if (steps === undefined) return false
    // The server makes its messages of the app's classes.
    const [req, res] = [message as Request, answer as Response]
    res.locals = Object.create(null)
    req.params = params
    run(steps, req, res, 0)
    return true
  }
}
