import { afterAll } from '@jest/globals'
import { createApp } from '../../functions/app.ts'
import type { HttpDeps } from '../../functions/deps.ts'
import { type AppMessages, createAppMessages } from '../../functions/http/app-messages.ts'
import type { Route } from '../../functions/http/route.ts'
import type { ConfigInputs } from '../support/configs/fixed-configs.ts'
import type { Door, DoorAnswer, DoorRequest } from '../support/http/door.ts'
import { type CallerName, createHttpFixture } from '../support/http/http-fixture.ts'
import { openLambdaDoor } from '../support/http/lambda-door.ts'
import { openSocketDoor } from '../support/http/socket-door.ts'

export type OpenOptions = {
  /** The caller whose token is sent with every request without its own. `nobody` when absent. */
  readonly as?: CallerName
  /** Every route when absent. */
  readonly routes?: readonly Route[]
  readonly configs?: ConfigInputs
  readonly deps?: Partial<HttpDeps>
  /** The start of the clock, in milliseconds since the epoch. */
  readonly startMs?: number
}

type Send = (path: string, body?: unknown, headers?: DoorRequest['headers']) => Promise<DoorAnswer>

/** An app with an open transport, and its dependencies. */
export type OpenDoor = Awaited<ReturnType<typeof createHttpFixture>> & {
  readonly get: (path: string, headers?: DoorRequest['headers']) => Promise<DoorAnswer>
  readonly post: Send
  readonly put: Send
  readonly del: (path: string, headers?: DoorRequest['headers']) => Promise<DoorAnswer>
  readonly request: (method: string, path: string, request?: DoorRequest) => Promise<DoorAnswer>
  /** The token that is sent with the requests. */
  readonly token: string | undefined
}

const closers: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of closers.splice(0)) await close()
})

const loadAllRoutes = async () => (await import('../../functions/all-routes.ts')).allRoutes

const encode = ({ body, rawBody }: DoorRequest): Uint8Array | undefined => {
  if (rawBody !== undefined) return Buffer.from(rawBody as string)
  return body === undefined ? undefined : Buffer.from(JSON.stringify(body))
}

const openWith =
  (openDoor: (app: ReturnType<typeof createApp>, messages?: AppMessages) => Promise<Door>, createMessages?: () => AppMessages) =>
  async ({ as = 'nobody', routes, configs, deps, startMs }: OpenOptions = {}): Promise<OpenDoor> => {
    const fixture = await createHttpFixture(configs, deps, startMs)
    const messages = createMessages?.()
    const door = await openDoor(createApp(routes ?? (await loadAllRoutes()), fixture.deps, messages), messages)
    closers.push(door.close, fixture.close)
    const token = await fixture.issueToken(as)
    const credential = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const request = (method: string, path: string, sent: DoorRequest = {}) => {
      const mediaType = sent.body === undefined ? {} : { 'content-type': 'application/json' }
      return door.send(method, path, { ...credential, ...mediaType, ...sent.headers }, encode(sent))
    }
    const send = (method: string, path: string, body?: unknown, headers?: DoorRequest['headers']) =>
      request(method, path, { ...(body === undefined ? {} : { body }), ...(headers === undefined ? {} : { headers }) })
    return {
      ...fixture,
      token,
      request,
      get: (path, headers) => send('GET', path, undefined, headers),
      post: (path, body, headers) => send('POST', path, body, headers),
      put: (path, body, headers) => send('PUT', path, body, headers),
      del: (path, headers) => send('DELETE', path, undefined, headers),
    }
  }

type NamedDoor = readonly [name: string, open: (options?: OpenOptions) => Promise<OpenDoor>]

const socketDoor: NamedDoor = ['a socket', openWith(openSocketDoor, createAppMessages)]

/**
 * The app through a socket and through a Lambda event: `describe.each(bothDoors)('… through %s', (_name, open) => …)`. For behaviour of the
 * transport: bodies, headers, cookies, streams, addresses. Open doors are closed at the end of the file.
 */
export const bothDoors: readonly NamedDoor[] = [socketDoor, ['a Lambda event', openWith(openLambdaDoor)]]

/** The app through a socket, for behaviour that does not depend on the transport. */
export const doors: readonly NamedDoor[] = [socketDoor]
