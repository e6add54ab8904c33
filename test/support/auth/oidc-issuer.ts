import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ClientMetadata, type Configuration, type JWK, Provider } from 'oidc-provider'
import { issuerClient } from './issuer-client.ts'

/** The claims of the user at the browser, or a user who declines. */
export type IssuerPerson = { readonly sub: string; readonly declines?: boolean } & Readonly<Record<string, unknown>>

export type OidcIssuer = Awaited<ReturnType<typeof openOidcIssuer>>

const createKey = (kid: string): JWK => ({
  ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }),
  use: 'sig',
  alg: 'RS256',
  kid,
})

const createProvider = (
  origin: string,
  redirectUris: readonly string[],
  findPerson: (sub: string) => IssuerPerson | undefined,
  overrides: Partial<ClientMetadata>,
): Provider => {
  const client: ClientMetadata = {
    client_id: issuerClient.id,
    client_secret: issuerClient.secret,
    redirect_uris: [...redirectUris],
    response_types: ['code'],
    grant_types: ['authorization_code'],
    ...overrides,
  }
  const configuration: Configuration = {
    clients: [client],
    jwks: { keys: [createKey('first')] },
    cookies: { keys: ['cookies of a test'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups', 'realm_access'] },
    scopes: ['openid', 'email', 'profile', 'groups'],
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, sub) => {
      const { declines: _, ...claims } = findPerson(sub) ?? { sub }
      return { accountId: sub, claims: () => claims }
    },
    ttl: { Session: 60, Interaction: 60, Grant: 60, AccessToken: 60, IdToken: 60, AuthorizationCode: 60 },
  }
  return new Provider(origin, configuration)
}

/** A certified OpenID provider on loopback. The person set by `signsInAs` signs in without any input. */
export const openOidcIssuer = async (redirectUris: readonly string[], overrides: Partial<ClientMetadata> = {}) => {
  const people = new Map<string, IssuerPerson>()
  let current: IssuerPerson = { sub: 'nobody' }
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = createProvider(origin, redirectUris, (sub) => people.get(sub), overrides)
  const answer = provider.callback()

  const interact = async (req: IncomingMessage, res: ServerResponse) => {
    const { prompt, params, grantId } = await provider.interactionDetails(req, res)
    if (current.declines) return provider.interactionFinished(req, res, { error: 'access_denied', error_description: 'no' })
    if (prompt.name === 'login') return provider.interactionFinished(req, res, { login: { accountId: current.sub } })
    const grant =
      (grantId === undefined ? undefined : await provider.Grant.find(grantId)) ??
      new provider.Grant({ accountId: current.sub, clientId: String(params.client_id) })
    grant.addOIDCScope(String(params.scope))
    return provider.interactionFinished(req, res, { consent: { grantId: await grant.save() } }, { mergeWithLastSubmission: true })
  }

  server.on('request', (req: IncomingMessage, res: ServerResponse) => {
    if (!req.url?.startsWith('/interaction/')) return void answer(req, res)
    interact(req, res).catch((error: unknown) => res.writeHead(500).end(String(error)))
  })

  return {
    origin,
    /** Sets the user at the browser. */
    signsInAs: (person: IssuerPerson) => {
      current = person
      people.set(person.sub, person)
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
