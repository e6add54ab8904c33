import { environment } from '../environment.ts'
import { GatehouseError } from '../errors.ts'

const style = 'body{font:1rem/1.5 sans-serif;max-width:26rem;margin:12vh auto;color-scheme:light dark}'

/**
 * The token is in the fragment, which browsers do not send. The script removes it from the address bar and posts it to the
 * listener, once.
 */
const script = `
const fields = Object.fromEntries(new URLSearchParams(location.hash.slice(1)))
history.replaceState(null, '', location.pathname)
const hand = async () => {
  if (fields.token === undefined) throw new Error('Open the link that the program shows.')
  const answer = await fetch(location.pathname, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(fields),
  }).catch(() => ({}))
  if (!answer.ok) throw new Error('The program did not take this sign-in; start it again.')
  return 'You are signed in as ' + fields.displayName + '. You may close this page.'
}
hand().catch((error) => error.message).then((text) => {
  document.querySelector('output').textContent = text
})`

/** The page that the browser shows after its return to a program on this machine. */
const loopbackPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Gatehouse</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<h1>Gatehouse</h1>
<output role="status">One moment.</output>
<script>${script}</script>
</body>
</html>
`

const allow = async (text: string): Promise<string> => {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  return `'sha256-${btoa(String.fromCharCode(...digest))}'`
}

/** Only this style and script, and requests to the listener. */
const createPagePolicy = async (): Promise<string> =>
  [
    "default-src 'none'",
    `style-src ${await allow(style)}`,
    `script-src ${await allow(script)}`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** A sign-in's return address on this machine (RFC 8252, section 7.3). */
export type LoopbackReturn = {
  /** Secret: only the receiver of this address knows it. */
  readonly returnUrl: string
  /** The token that the browser brings. It may never come. */
  readonly token: Promise<string>
  close(): Promise<void>
}

type Request = AsyncIterable<Uint8Array> & {
  readonly method?: string
  readonly url?: string
  readonly headers: Readonly<Record<string, string | undefined>>
}
type Response = {
  writeHead(status: number, headers: Readonly<Record<string, string>>): { end(text?: string): void }
  once(event: 'close', act: () => void): void
  destroy(): void
}
type Server = {
  listen(port: number, host: string, done: () => void): void
  once(event: 'error', fail: (error: Error) => void): void
  address(): { readonly port: number } | null
  closeAllConnections(): void
  close(done: () => void): void
}
/** The used part of `node:http`, loaded by name so that bundlers for browsers skip it. */
type Http = {
  createServer(
    options: { readonly requestTimeout: number; readonly headersTimeout: number },
    answer: (request: Request, response: Response) => void,
  ): Server
}

const bodyBytesMax = 4096
const requestMs = 10_000
const tokenPattern = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i

const findHttp = (): Http => {
  const http = environment().process?.getBuiltinModule?.('node:http')
  if (http === undefined) throw new GatehouseError('no-node', 'This needs Node 20.16 or newer. In a page, use leaveToSignIn.')
  return http as Http
}

const readToken = async (request: Request): Promise<string | undefined> => {
  const decoder = new TextDecoder()
  let text = ''
  for await (const piece of request) {
    text += decoder.decode(piece, { stream: true })
    if (text.length > bodyBytesMax) return undefined
  }
  try {
    const { token } = JSON.parse(text)
    return typeof token === 'string' && tokenPattern.test(token) ? token : undefined
  } catch {
    return undefined
  }
}

/** Only our own page: other pages have another origin, or cannot send this type without a preflight, which gets no answer. */
const isFromOurPage = ({ headers }: Request, own: string): boolean =>
  headers.origin === own && headers['content-type']?.split(';', 1)[0]?.trim() === 'application/json'

/**
 * Listens on a free port of 127.0.0.1 for the browser, below a secret path. The page there posts the fragment of its address,
 * which is in no request line. The first token is accepted, and none after it.
 */
export const openLoopbackReturn = async (): Promise<LoopbackReturn> => {
  const headers = {
    'Cache-Control': 'no-store',
    'Content-Security-Policy': await createPagePolicy(),
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  }
  const answer = (response: Response, status: number): void =>
    response.writeHead(status, { ...headers, Connection: 'close' }).end()
  const path = `/gatehouse/${crypto.randomUUID()}`
  let host = ''
  let isTaken = false
  let take: (token: string) => void
  const token = new Promise<string>((resolve) => {
    take = resolve
  })

  const receive = async (request: Request, response: Response): Promise<void> => {
    if (!isFromOurPage(request, `http://${host}`)) return answer(response, 403)
    const brought = await readToken(request)
    if (brought === undefined) return answer(response, 400)
    if (isTaken) return answer(response, 409)
    isTaken = true
    response.once('close', () => take(brought))
    answer(response, 204)
  }
  const server = findHttp().createServer({ requestTimeout: requestMs, headersTimeout: requestMs }, (request, response) => {
    // Another name for this address would be a foreign page (DNS rebinding).
    if (request.headers.host !== host) return answer(response, 421)
    if (request.url !== path) return answer(response, 404)
    if (request.method === 'GET')
      return response.writeHead(200, { ...headers, 'Content-Type': 'text/html; charset=utf-8' }).end(loopbackPage)
    if (request.method !== 'POST') return answer(response, 405)
    return void receive(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  host = `127.0.0.1:${server.address()?.port}`
  return {
    returnUrl: `http://${host}${path}`,
    token,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}
