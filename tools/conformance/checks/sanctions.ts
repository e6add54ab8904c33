import { Type } from '@sinclair/typebox'
import { check, feature } from '../check.ts'
import { removeAccount } from '../fixtures/player.ts'
import { expectBody, expectEqual, expectProblem, expectStatus } from '../report/expectations.ts'

const Sanction = Type.Object({
  id: Type.String(),
  kind: Type.String(),
  email: Type.Optional(Type.String()),
  reason: Type.String(),
  by: Type.String(),
  at: Type.String(),
  endedAt: Type.Optional(Type.String()),
})
const names = Type.Record(Type.String(), Type.String())
const Page = Type.Object({ sanctions: Type.Array(Sanction), names, nextCursor: Type.Optional(Type.String()) })
const Reports = Type.Object({ reports: Type.Array(Type.Object({ id: Type.String(), state: Type.String() })), names })
const Chat = Type.Object({
  lines: Type.Array(Type.Object({ at: Type.String(), world: Type.String(), from: Type.String(), text: Type.String() })),
  keepDays: Type.Integer(),
  nextCursor: Type.Optional(Type.String()),
})

export const sanctions = feature('Sanctions and reports', [
  check('administrator', 'are listed, active ones and ended ones', async ({ ask }) => {
    for (const active of ['true', 'false'])
      expectBody(await ask('administrator', `GET /api/admin/sanctions?limit=5&active=${active}`), Page)
    const { reports } = expectBody(await ask('administrator', 'GET /api/admin/reports?limit=5&state=open'), Reports)
    expectEqual('states', [...new Set(reports.map(({ state }) => state))], reports.length === 0 ? [] : ['open'])
  }),
  check('administrator', 'have a chat log, newest first, which refuses a time range without time', async ({ ask }) => {
    const { lines } = expectBody(await ask('administrator', 'GET /api/admin/chat?limit=5'), Chat)
    const times = lines.map(({ at }) => at)
    expectEqual('times', times, times.toSorted().reverse())
    const empty = 'from=2026-11-27T12:00:00Z&to=2026-11-27T11:00:00Z'
    expectProblem(await ask('administrator', `GET /api/admin/chat?${empty}`), 400, 'bad-request')
    expectProblem(await ask('administrator', 'GET /api/admin/chat?cursor=x'), 400, 'bad-request')
  }),
  check('administrator', 'are refused for the whole internet and for an end in the past', async (kit) => {
    const impose = (json: object) => kit.ask('administrator', 'POST /api/admin/sanctions', { json })
    const reason = `a check of ${kit.name}`
    for (const address of ['0.0.0.0/0', '::/0'])
      expectProblem(await impose({ kind: 'ban', address, reason, until: '2999-01-01T00:00:00Z' }), 422, 'rule-broken')
    const email = `${kit.name}-nobody@example.com`
    expectProblem(await impose({ kind: 'mute', email, reason, until: '2020-01-01T00:00:00Z' }), 422, 'rule-broken')
    expectProblem(await impose({ kind: 'mute', email, reason, until: 'never' }), 400, 'bad-request')
  }),
  check('write', 'are imposed on an email without an account, and ended', async (kit) => {
    const ask = (what: string, send = {}) => kit.ask('administrator', what, send)
    const email = `${kit.name}-nobody@example.com`
    const until = new Date(Date.now() + 600_000).toISOString()
    const made = await ask('POST /api/admin/sanctions', { json: { kind: 'ban', email, reason: 'a check', until } })
    expectStatus(made, 201)
    const sanction = expectBody(made, Sanction)
    expectEqual('the email', sanction.email, email)
    expectStatus(await ask(`DELETE /api/admin/sanctions/${sanction.id}`), 200)
  }),
  check('write', 'are imposed on an account, listed with it, and ended', async (kit) => {
    const ask = (what: string, send = {}) => kit.ask('administrator', what, send)
    const email = `${kit.name}-muted@example.com`
    kit.cleanUp.later(`the account ${email}`, () => removeAccount({ ask }, email))
    expectStatus(await ask('POST /api/admin/users', { json: { email, password: `the password of ${kit.name}` } }), 201)
    const made = await ask('POST /api/admin/sanctions', { json: { kind: 'mute', email, reason: 'a check' } })
    expectStatus(made, 201)
    const { id } = expectBody(made, Sanction)
    const list = async (active: boolean) => {
      const query = `email=${encodeURIComponent(email)}&active=${active}`
      const page = expectBody(await ask(`GET /api/admin/sanctions?${query}`), Page)
      for (const one of page.sanctions) expectEqual('the display name', page.names[one.email ?? ''], `${kit.name}-muted`)
      return page.sanctions.map((one) => one.id)
    }
    expectEqual('active ones', await list(true), [id])
    expectStatus(await ask(`DELETE /api/admin/sanctions/${id}`), 200)
    expectEqual('active ones', await list(true), [])
    expectEqual('ended ones', await list(false), [id])
  }),
])
