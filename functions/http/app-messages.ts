import { IncomingMessage, ServerResponse } from 'node:http'
import type { Express } from 'express'

/** The classes of a server's requests and answers, for `createServer`. */
export type AppMessages = {
  readonly IncomingMessage: typeof IncomingMessage
  readonly ServerResponse: typeof ServerResponse
}

/**
 * Creates classes for one server and its one app. Without them express changes the prototype of each request and answer, which
 * costs half the processor time of a `GET /auth/me` (docs/performance.md). Uses only public APIs of Node and express.
 */
export const createAppMessages = (): AppMessages => ({
  IncomingMessage: class extends IncomingMessage {},
  ServerResponse: class<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {},
})

/**
 * Puts the prototypes of `app` into `messages`, so that express finds them in place. V8 creates a dozen hidden classes for each
 * object whose prototype changes, and keeps them until the next full collection.
 */
export const adoptMessages = (app: Express, messages: AppMessages): void => {
  const { prototype: request } = messages.IncomingMessage
  const { prototype: response } = messages.ServerResponse
  Object.setPrototypeOf(request, app.request)
  Object.setPrototypeOf(response, app.response)
  Object.assign(app, { request, response })
}
