import { type Static, Type } from '@sinclair/typebox'
import { check, feature } from '../check.ts'
import { removeAccount } from '../fixtures/player.ts'
import { expectBody, expectEqual, expectProblem, expectStatus, expectThat, showAnswer } from '../report/expectations.ts'

const Entry = Type.Object({
  id: Type.String(),
  at: Type.String(),
  actor: Type.String(),
  action: Type.String(),
  target: Type.String(),
  before: Type.Unknown(),
  after: Type.Unknown(),
  via: Type.String(),
  requestId: Type.String(),
})
const Page = Type.Object({ entries: Type.Array(Entry), nextCursor: Type.Optional(Type.String()) })

export const audit = feature('The audit log', [
  check('administrator', 'is read page by page, newest first, each entry once', async ({ ask }) => {
    const entries: Static<typeof Entry>[] = []
    let cursor: string | undefined
    for (let pages = 0; pages < 4; pages += 1) {
      const query = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`
      const page: Static<typeof Page> = expectBody(await ask('administrator', `GET /api/admin/audit?limit=3${query}`), Page)
      expectThat(page.entries.length <= 3, 'three at most', () => String(page.entries.length))
      entries.push(...page.entries)
      cursor = page.nextCursor
      if (cursor === undefined) break
    }
    const times = entries.map(({ at }) => at)
    expectEqual('the times', times, times.toSorted().toReversed())
    expectEqual('entries, each once,', new Set(entries.map(({ id }) => id)).size, entries.length)
  }),
  check('administrator', 'returns nothing for filters without a match', async ({ ask, name }) => {
    for (const key of ['q', 'actor', 'target', 'requestId']) {
      const answer = await ask('administrator', `GET /api/admin/audit?${key}=${name}-nothing`)
      expectStatus(answer, 200)
      expectEqual('entries', expectBody(answer, Page).entries, [])
    }
  }),
  check('administrator', 'returns the entries of a time range, both ends included', async ({ ask }) => {
    const [newest] = expectBody(await ask('administrator', 'GET /api/admin/audit?limit=1'), Page).entries
    if (newest === undefined) return
    const at = encodeURIComponent(newest.at)
    const page = expectBody(await ask('administrator', `GET /api/admin/audit?from=${at}&to=${at}`), Page)
    expectThat(page.entries.length > 0, 'the newest entry', () => '0 entries')
    expectEqual('times', [...new Set(page.entries.map((entry) => entry.at))], [newest.at])
    const empty = 'from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z'
    expectProblem(await ask('administrator', `GET /api/admin/audit?${empty}`), 400, 'bad-request')
  }),
  check('write', 'names the caller, the request and both values of a change, and never a password', async (kit) => {
    const ask = (what: string, send = {}) => kit.ask('administrator', what, send)
    const email = `${kit.name}-audited@example.com`
    const [requestId, password] = [`${kit.name}-audited`, `the password of ${kit.name}`]
    kit.cleanUp.later(`the account ${email}`, () => removeAccount({ ask }, email))
    expectStatus(await ask('POST /api/admin/users', { json: { email, password }, headers: { 'X-Request-Id': requestId } }), 201)
    const answer = await ask(`GET /api/admin/audit?requestId=${requestId}&target=${encodeURIComponent(email)}`)
    const { entries } = expectBody(answer, Page)
    const [entry] = entries
    const search = `GET /api/admin/audit?requestId=${requestId}&q=${encodeURIComponent(`CREATE ${email}`)}`
    expectEqual('entries of the search', expectBody(await ask(search), Page).entries.length, 1)
    expectEqual('entries', entries.length, 1)
    expectEqual('via, target and requestId', [entry?.via, entry?.target, entry?.requestId], ['http', email, requestId])
    expectEqual('before', entry?.before, null)
    expectThat(JSON.stringify(entry?.after).includes(email), `the account in "after"`, () => showAnswer(answer))
    expectThat(!answer.text.includes(password) && !/\$2[aby]\$/.test(answer.text), 'no password and no hash', () => 'one')
    if (kit.email !== undefined) expectEqual('actor', entry?.actor, kit.email.trim().toLowerCase())
  }),
])
