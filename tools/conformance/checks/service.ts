import { isIP } from 'node:net'
import { Type } from '@sinclair/typebox'
import { hostOf, isLoopback, isLoopbackHost } from '../../../shared/kernel/loopback.ts'
import { check, feature } from '../check.ts'
import {
  expectBody,
  expectEqual,
  expectHeader,
  expectMediaType,
  expectProblem,
  expectStatus,
  expectThat,
  showAnswer,
} from '../report/expectations.ts'
import { Skipped } from '../report/skipped.ts'

/** The names of dependencies that operators know. */
const DependencyName = Type.Union(['redis', 'dynamodb', 'records', 'accounts'].map((name) => Type.Literal(name)))

const Ready = Type.Object({
  ready: Type.Boolean(),
  dependencies: Type.Array(Type.Object({ name: DependencyName, neededFor: Type.String({ minLength: 1 }), ok: Type.Boolean() })),
})

export const service = feature('The service', [
  check('nothing', 'is alive', async ({ ask }) => {
    const answer = await ask('nobody', 'GET /healthz')
    expectStatus(answer, 200)
    expectEqual('status', expectBody(answer, Type.Object({ status: Type.String() })).status, 'ok')
  }),
  check('nothing', 'is ready, and names each dependency', async ({ ask }) => {
    const answer = await ask('nobody', 'GET /readyz')
    expectStatus(answer, 200)
    const { ready, dependencies } = expectBody(answer, Ready)
    expectThat(ready && dependencies.every(({ ok }) => ok), 'every dependency up', () => showAnswer(answer))
  }),
  check('nothing', 'redirects its root to the game, or to the API page', async ({ ask }) => {
    const answer = await ask('nobody', 'GET /')
    expectStatus(answer, 302)
    expectHeader(answer, 'Location', /(play|api\/docs)$/)
  }),
  check('nothing', 'answers an unknown address with a page of links to browsers, and a problem to programs', async ({ ask }) => {
    const path = 'GET /conformance/no-such-address'
    expectProblem(await ask('nobody', path), 404, 'not-found')
    const page = await ask('nobody', path, { headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } })
    expectStatus(page, 404)
    expectMediaType(page, 'text/html')
    expectThat(page.text.includes('href="../play"'), 'a link to the game', () => page.text)
  }),
  check('nothing', 'has an API page without inline scripts or external resources', async ({ ask }) => {
    const answer = await ask('nobody', 'GET /api/docs')
    expectStatus(answer, 200)
    expectMediaType(answer, 'text/html')
    const foreign = /<script(?![^>]*\ssrc=)|<iframe|\son\w+=|(?:src|href)="(?:https?:)?\/\//i.exec(answer.text)
    expectThat(foreign === null, 'none', () => String(foreign?.[0]))
  }),
  check('nothing', 'explains every problem under its type', async ({ ask, api }) => {
    for (const slug of api.problems.keys()) {
      const answer = await ask('nobody', `GET /problems/${slug}`)
      expectStatus(answer, 302)
      expectHeader(answer, 'Location', new RegExp(`#${slug}$`))
    }
  }),
  check('nothing', 'names its security contact in security.txt, with an expiry', async ({ ask, url }) => {
    const answer = await ask('nobody', 'GET /.well-known/security.txt')
    const host = hostOf(new URL(url))
    // No one reads a mailbox of such a host: without a contact in server.yaml there is no file.
    if (answer.status === 404 && (isLoopback(host) || isIP(host) !== 0)) {
      expectProblem(answer, 404, 'not-found')
      return
    }
    expectStatus(answer, 200)
    expectMediaType(answer, 'text/plain')
    expectThat(/^Contact: (?:mailto|https):\S+$/m.test(answer.text), 'a line Contact', () => showAnswer(answer))
    const expires = Date.parse(/^Expires: (\S+)$/m.exec(answer.text)?.[1] ?? '')
    expectThat(expires > Date.now(), 'Expires in the future', () => showAnswer(answer))
  }),
  check('nothing', 'answers 421 to another host name while it is on loopback', async ({ ask, url }) => {
    if (!isLoopbackHost(new URL(url).host)) throw new Skipped('the server is not on loopback')
    for (const path of ['/api/openapi.json', '/healthz', '/play']) {
      const answer = await ask('nobody', `GET ${path}`, { headers: { Host: 'rebound.conformance.example' }, odd: true })
      expectProblem(answer, 421, 'misdirected-request')
    }
  }),
  check('nothing', 'does not serve its metrics here', async ({ ask }) => {
    expectProblem(await ask('nobody', 'GET /metrics'), 404, 'not-found')
  }),
])
