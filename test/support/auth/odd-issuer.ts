import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

type Claims = Readonly<Record<string, unknown>>
type Reply = {
  readonly status?: number
  readonly type?: string
  readonly body: string
  readonly headers?: Record<string, string>
}

/** Deviations of the issuer; a missing field means correct behaviour. */
export type Oddity = {
  /** Changes the claims of the ID token; `undefined` removes a claim. */
  readonly claims?: Claims
  readonly header?: Claims
  readonly signing?: 'none' | 'public-key-as-secret' | 'another-key' | 'damaged'
  readonly metadata?: Claims
  /** A string is sent unchanged. */
  readonly userinfo?: Claims | string
  /** Replaces the answer of the token endpoint. */
  readonly token?: Reply | 'never'
  readonly discovery?: Reply | 'never'
  readonly noIdToken?: boolean
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const createKey = (kid: string) => ({ kid, ...generateKeyPairSync('rsa', { modulusLength: 2048 }) })
type Key = ReturnType<typeof createKey>

const publicJwk = ({ kid, publicKey }: Key) => ({ ...publicKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' })
const rs256 = (input: string, key: KeyObject) => sign('sha256', Buffer.from(input), key).toString('base64url')

/** Created once, because a key takes a while. */
const firstKey = createKey('first')
const strangerKey = createKey('first')

/** A small issuer that is correct about `person` except for its `oddity`: a certified issuer cannot be made to deviate. */
export const openOddIssuer = async (clientId: string) => {
  let key = firstKey
  let oddity: Oddity = {}
  let person: Claims = { sub: 'ann-1', email: 'ann@example.com', email_verified: true, name: 'Ann' }
  const nonces = new Map<string, string>()
  const asked: string[] = []
  const bodies: string[] = []
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const sealIdToken = (nonce: string | undefined): string => {
    const now = Math.floor(Date.now() / 1000)
    const claims = { iss: origin, aud: clientId, iat: now, exp: now + 60, nonce, ...person, ...oddity.claims }
    const alg = oddity.signing === 'none' ? 'none' : oddity.signing === 'public-key-as-secret' ? 'HS256' : 'RS256'
    const input = `${encode({ alg, kid: key.kid, ...oddity.header })}.${encode(claims)}`
    if (oddity.signing === 'none') return `${input}.`
    const secret = key.publicKey.export({ format: 'pem', type: 'spki' })
    if (oddity.signing === 'public-key-as-secret')
      return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
    const signature = rs256(input, oddity.signing === 'another-key' ? strangerKey.privateKey : key.privateKey)
    return `${input}.${oddity.signing === 'damaged' ? signature.slice(0, -8).padEnd(signature.length, 'A') : signature}`
  }

  const metadata = () => ({
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    userinfo_endpoint: `${origin}/userinfo`,
    jwks_uri: `${origin}/keys`,
    id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
    ...oddity.metadata,
  })

  const json = (value: unknown): Reply => ({ body: JSON.stringify(value) })

  const replyTo = async (req: IncomingMessage): Promise<Reply | 'never'> => {
    const { pathname } = new URL(req.url ?? '/', origin)
    asked.push(pathname)
    if (pathname === '/.well-known/openid-configuration') return oddity.discovery ?? json(metadata())
    if (pathname === '/keys') return json({ keys: [publicJwk(key)] })
    if (pathname === '/userinfo')
      return typeof oddity.userinfo === 'string' ? { body: oddity.userinfo } : json(oddity.userinfo ?? person)
    if (pathname !== '/token') return { status: 404, body: '{}' }
    const body = await text(req)
    bodies.push(body)
    if (oddity.token !== undefined) return oddity.token
    const nonce = nonces.get(new URLSearchParams(body).get('code') ?? '')
    const idToken = oddity.noIdToken ? {} : { id_token: sealIdToken(nonce) }
    return json({ access_token: 'access-token-of-ann', token_type: 'Bearer', expires_in: 60, ...idToken })
  }

  server.on('request', async (req: IncomingMessage, res: ServerResponse) => {
    const reply = await replyTo(req)
    if (reply === 'never') return
    res.writeHead(reply.status ?? 200, { 'content-type': reply.type ?? 'application/json', ...reply.headers }).end(reply.body)
  })

  return {
    origin,
    /** The requested paths, in order. */
    asked,
    /** Request bodies of the token endpoint. */
    bodies,
    be: (next: Oddity) => {
      oddity = next
    },
    setPerson: (next: Claims) => {
      person = next
    },
    rotateKeys: (kid: string) => {
      key = createKey(kid)
    },
    /** Signs in at once, and returns the parameters that the browser brings back from `address`. */
    answer: (address: string): { readonly code: string; readonly state: string } => {
      const { searchParams } = new URL(address)
      const code = `code-${nonces.size + 1}`
      nonces.set(code, searchParams.get('nonce') ?? '')
      return { code, state: searchParams.get('state') ?? '' }
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export type OddIssuer = Awaited<ReturnType<typeof openOddIssuer>>
