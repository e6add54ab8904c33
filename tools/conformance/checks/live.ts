import { Type } from '@sinclair/typebox'
import { check, feature } from '../check.ts'
import { expectBody, expectEqual, expectProblem, expectStatus, expectThat } from '../report/expectations.ts'

const Page = Type.Object({
  players: Type.Array(Type.Object({ playerId: Type.String() })),
  nextCursor: Type.Optional(Type.String()),
})
const Metrics = Type.Object({
  stepSeconds: Type.Integer({ minimum: 1 }),
  nodes: Type.Array(
    Type.Object({ node: Type.String(), steps: Type.Array(Type.Object({ at: Type.String() }), { maxItems: 720 }) }),
  ),
})
const Grouped = Type.Object({ entries: Type.Array(Type.Object({ count: Type.Optional(Type.Integer()) })) })
const ServerFacts = Type.Object({ version: Type.String(), startedAt: Type.String({ format: 'date-time' }) })

export const live = feature('Connected players and nodes', [
  check('nothing', 'GET /api/admin/players lists connected players', async ({ ask }) => {
    const answer = await ask('administrator', 'GET /api/admin/players')
    expectStatus(answer, 200)
    expectBody(answer, Page)
  }),
  check('nothing', 'actions on a player who is not connected return 404', async ({ ask }) => {
    for (const [what, body] of [
      ['kick', {}],
      ['message', { text: 'hello' }],
      ['teleport', { x: 0, y: 100, z: 0 }],
    ] as const)
      expectProblem(await ask('administrator', `POST /api/admin/players/nobody/${what}`, { json: body }), 404, 'not-found')
  }),
  check('write', 'messages to players within ten seconds are one audit entry with a count', async ({ ask, fixtures, name }) => {
    const player = await fixtures.player()
    await fixtures.join(player)
    const [first, last] = [`${name}-message-1`, `${name}-message-3`]
    for (const requestId of [first, `${name}-message-2`, last])
      expectStatus(
        await ask('administrator', `POST /api/admin/players/${player.playerId}/message`, {
          json: { text: `hello from ${name}` },
          headers: { 'X-Request-Id': requestId },
        }),
        204,
      )
    for (const requestId of [first, last]) {
      const answer = await ask('administrator', `GET /api/admin/audit?requestId=${requestId}`)
      const { entries } = expectBody(answer, Grouped)
      expectEqual('entries', entries.length, 1)
      expectThat((entries[0]?.count ?? 1) >= 3, 'a count of 3 or more', () => String(entries[0]?.count))
    }
  }),
  check('nothing', 'an announcement to an unknown world or zone returns 422', async ({ ask, name }) => {
    for (const place of [{ world: `${name}-nowhere` }, { zone: '00000000-0000-4000-8000-000000000000' }])
      expectProblem(
        await ask('administrator', 'POST /api/admin/announcements', { json: { text: 'hello', ...place } }),
        422,
        'rule-broken',
      )
  }),
  check('nothing', 'GET /api/admin/metrics has ten minutes or a day of each node', async ({ ask }) => {
    for (const query of ['', '?span=minutes', '?span=day']) {
      const answer = await ask('administrator', `GET /api/admin/metrics${query}`)
      expectStatus(answer, 200)
      expectBody(answer, Metrics)
    }
    expectProblem(await ask('administrator', 'GET /api/admin/metrics?span=year'), 400, 'bad-request')
  }),
  check('nothing', 'GET /api/admin/server has the version and the start', async ({ ask }) => {
    const answer = await ask('administrator', 'GET /api/admin/server')
    expectStatus(answer, 200)
    expectBody(answer, ServerFacts)
  }),
])
