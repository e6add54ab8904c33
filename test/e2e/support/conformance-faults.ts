import type { PassingAnswer, Tamper } from '../../support/processes/tampering-proxy.ts'

/** A fault of a server, and the only check of the conformance suite that must detect it. */
export type ConformanceFault = {
  readonly what: string
  readonly seenBy: string
  /** The `--only` of a run with this check and similar ones. */
  readonly only: string
  /** Whether it is visible without credentials. */
  readonly isPublic: boolean
  readonly tamper: Tamper
}

const withHeaders = (answer: PassingAnswer, headers: Record<string, string | undefined>): PassingAnswer => ({
  ...answer,
  headers: Object.fromEntries(Object.entries({ ...answer.headers, ...headers }).filter(([, value]) => value !== undefined)),
})

const withText = (answer: PassingAnswer, change: (text: string) => string): PassingAnswer => ({
  ...answer,
  body: Buffer.from(change(answer.body.toString('utf8'))),
})

export const conformanceFaults: readonly ConformanceFault[] = [
  {
    what: 'a security header is missing',
    seenBy: 'Every answer: has the security headers',
    only: 'security',
    isPublic: true,
    tamper: (_asked, answer) => withHeaders(answer, { 'x-content-type-options': undefined }),
  },
  {
    what: 'a refusal shows where the server lies',
    seenBy: 'Every answer: with an error reveals no internals',
    only: ' with a*n',
    isPublic: true,
    tamper: (_asked, answer) =>
      answer.status === 404 ? withText(answer, (text) => text.replace('"detail":"', '"detail":"/home/me/app.ts:7 ')) : answer,
  },
  {
    what: 'a 405 allows too much',
    seenBy: 'Methods: /healthz answers 405 with Allow to other methods',
    only: 'Methods: /healthz',
    isPublic: true,
    tamper: ({ path }, answer) =>
      path === '/healthz' && answer.status === 405 ? withHeaders(answer, { allow: 'GET, HEAD, PUT, OPTIONS' }) : answer,
  },
  {
    what: 'an entity tag is weak',
    seenBy: 'Entity tags: /api/classes has a strong tag, and If-None-Match with it returns 304 without a body',
    only: 'Entity tags: /api/classes',
    isPublic: true,
    tamper: ({ path }, answer) => (path === '/api/classes' ? withHeaders(answer, { etag: `W/${answer.headers.etag}` }) : answer),
  },
  {
    what: 'any origin may read',
    seenBy: 'Pages of other origins: named null or similar to an allowed one are refused too',
    only: 'Pages of other origins',
    isPublic: true,
    tamper: ({ headers }, answer) =>
      headers.origin === 'null' ? withHeaders(answer, { 'access-control-allow-origin': 'null' }) : answer,
  },
  {
    what: 'security.txt has no contact',
    seenBy: 'The service: names its security contact in security.txt, with an expiry',
    only: 'The service',
    isPublic: true,
    tamper: ({ method, path }, answer) =>
      ['GET', 'HEAD'].includes(method) && path.endsWith('/security.txt')
        ? {
            ...withHeaders(
              withText(answer, () => (method === 'GET' ? 'Expires: 2999-01-01T00:00:00Z\n' : '')),
              { 'content-type': 'text/plain; charset=utf-8' },
            ),
            status: 200,
          }
        : answer,
  },
  {
    what: 'another host is answered',
    seenBy: 'The service: answers 421 to another host name while it is on loopback',
    only: 'The service',
    isPublic: true,
    tamper: ({ headers }, answer) => (headers.host === 'rebound.conformance.example' ? { ...answer, status: 200 } : answer),
  },
  {
    what: 'an answer never comes',
    seenBy: 'The service: does not serve its metrics here',
    only: 'The service',
    isPublic: true,
    tamper: ({ path }, answer) => (path === '/metrics' ? 'cut' : answer),
  },
  {
    what: 'an answer has a key that is not described',
    seenBy: 'Answers as /api/openapi.json describes them: GET /api/admin/skills',
    only: 'skills',
    isPublic: false,
    tamper: ({ method, path }, answer) =>
      method === 'GET' && path === '/api/admin/skills' && answer.status === 200
        ? withText(answer, (text) => text.replace('{', '{"extra":1,'))
        : answer,
  },
  {
    what: 'the count of blocks is wrong',
    seenBy: 'Blocks of a zone: are counted before the first of them',
    only: 'Blocks of a zone',
    isPublic: false,
    tamper: (_asked, answer) => {
      const total = Number(answer.headers['x-total-blocks'] ?? 0)
      return total === 0 ? answer : withHeaders(answer, { 'x-total-blocks': String(total + 1) })
    },
  },
  {
    what: 'a refusal has the slug of another one',
    seenBy: 'Rules of zones: do not share a column at the same height, disabled ones included',
    only: 'Rules of zones',
    isPublic: false,
    tamper: (_asked, answer) =>
      answer.status === 409 ? withText(answer, (text) => text.replace('/problems/zone-overlap', '/problems/conflict')) : answer,
  },
  {
    what: 'a missing permission is not named',
    seenBy: 'As a player without rights: POST /api/admin/reload answers 403 and names admin.server.reload',
    only: 'POST /api/admin/reload answers 403',
    isPublic: false,
    tamper: (_asked, answer) =>
      answer.status === 403 ? withText(answer, (text) => text.replace('admin.server.reload', 'something')) : answer,
  },
]
