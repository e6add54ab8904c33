import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { Provider } from 'oidc-provider'
import { issuerClient, issuerPassword } from './issuer-client.ts'
import { createIssuerRecords } from './issuer-records.ts'

/**
 * A certified OpenID provider in its own process, with a login form: `<port> <kid of its key> <redirect URIs…>`. Any user name is
 * valid with the one password, and the user is in a group of the same name.
 */
const [port = '', kid = '', ...redirectUris] = process.argv.slice(2)
const origin = `http://127.0.0.1:${port}`
/** Signing with it costs a tenth of RSA, which matters for two hundred sign-ins at once. */
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })

const claimsOf = (login: string) => ({
  sub: login,
  email: `${login}@example.com`,
  email_verified: true,
  name: login.charAt(0).toUpperCase() + login.slice(1),
  groups: [login],
})

const provider = new Provider(origin, {
  adapter: createIssuerRecords(),
  clients: [
    {
      client_id: issuerClient.id,
      client_secret: issuerClient.secret,
      redirect_uris: redirectUris,
      response_types: ['code'],
      grant_types: ['authorization_code'],
      id_token_signed_response_alg: 'ES256',
    },
  ],
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256', kid }] },
  cookies: { keys: ['cookies of a test'] },
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
  pkce: { required: () => true },
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
  findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => claimsOf(sub) }),
  // There is no consent page: a sign-in grants all requested scopes.
  loadExistingGrant: async (ctx) => {
    const { client, session, params } = ctx.oidc
    const grant = new provider.Grant({ accountId: session?.accountId ?? '', clientId: client?.clientId ?? '' })
    grant.addOIDCScope(String(params?.scope))
    await grant.save()
    return grant
  },
  ttl: { Session: 600, Interaction: 600, Grant: 600, AccessToken: 600, IdToken: 600, AuthorizationCode: 60 },
})

const page = (message: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Sign in</title></head><body>
<h1>Sign in</h1>
<p role="alert">${message}</p>
<form method="post">
<label>Name <input name="login" required autocomplete="username"></label>
<label>Password <input name="password" type="password" autocomplete="current-password"></label>
<button>Sign in</button>
<button name="decline" value="yes" formnovalidate>No, thanks</button>
</form>
</body></html>
`

const show = (response: ServerResponse, status: number, message = ''): void => {
  response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8' }).end(page(message))
}

const interact = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  if (request.method !== 'POST') return show(response, 200)
  const form = new URLSearchParams(await text(request))
  const login = form.get('login') ?? ''
  if (form.get('decline')) return provider.interactionFinished(request, response, { error: 'access_denied' })
  if (form.get('password') !== issuerPassword) return show(response, 401, 'That is not the password.')
  return provider.interactionFinished(request, response, { login: { accountId: login } })
}

const answer = provider.callback()
const server = createServer((request, response) => {
  const [path = ''] = (request.url ?? '').split('?')
  if (!path.startsWith('/interaction/')) return void answer(request, response)
  interact(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
})
server.listen(Number(port), '127.0.0.1', () => process.stdout.write('listening\n'))
// The parent process has the other end.
process.stdin.resume().once('end', () => process.exit())
