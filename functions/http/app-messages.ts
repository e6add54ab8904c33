import { IncomingMessage, ServerResponse } from 'node:http'
import type { Express } from 'express'

/** The classes of a server's requests and answers, for `createServer`. */
export type AppMessages = {
  readonly IncomingMessage: typeof IncomingMessage
  readonly ServerResponse: typeof ServerResponse
}

/** Classes of one server and the one app that it runs. */
export const createAppMessages = (): AppMessages => ({
  IncomingMessage: class extends IncomingMessage {},
  ServerResponse: class<Asked extends IncomingMessage = IncomingMessage> extends ServerResponse<Asked> {},
})

/**
 * Lets `app` find the prototypes in place that express otherwise gives each request and answer. An object whose prototype was changed
 * shares its hidden classes with no other: a dozen were made for every request, and stayed until the next full collection.
 */
export const adoptMessages = (app: Express, messages: AppMessages): void => {
  const { prototype: request } = messages.IncomingMessage
  const { prototype: response } = messages.ServerResponse
  Object.setPrototypeOf(request, app.request)
  Object.setPrototypeOf(response, app.response)
  Object.assign(app, { request, response })
}
