import { Type } from '@sinclair/typebox'
import { isMap, parseDocument } from 'yaml'
import { check, feature } from '../check.ts'
import type { Player } from '../fixtures/player.ts'
import { expectBody, expectEqual, expectProblem, expectStatus, expectThat, show, showAnswer } from '../report/expectations.ts'
import { Skipped } from '../report/skipped.ts'

const Names = Type.Array(Type.String())
const Group = Type.Object({ name: Type.String(), permissions: Names, inherits: Names, effective: Names })
const Groups = Type.Object({ groups: Type.Array(Group), defaultGroups: Names })

export const groups = feature('Groups', [
  check('administrator', 'include admin, which has every permission', async ({ ask }) => {
    const { groups: all } = expectBody(await ask('administrator', 'GET /api/admin/groups'), Groups)
    expectEqual('the rules of admin', all.find(({ name }) => name === 'admin')?.effective, ['*'])
  }),
  check('administrator', 'inherit existing groups, and list their rules sorted, each once', async ({ ask }) => {
    const { groups: all, defaultGroups } = expectBody(await ask('administrator', 'GET /api/admin/groups'), Groups)
    const names = all.map(({ name }) => name)
    for (const { name, inherits, effective } of all) {
      const unknown = inherits.find((other) => !names.includes(other))
      expectThat(unknown === undefined, `groups that exist in ${name}`, () => String(unknown))
      expectEqual(`the rules of ${name}`, effective, [...new Set(effective)].toSorted())
    }
    const absent = defaultGroups.filter((name) => !names.includes(name))
    expectThat(absent.length === 0 || defaultGroups.includes('player'), 'existing default groups', () => show(absent))
  }),
])

const Own = Type.Object({ verified: Type.Boolean(), groups: Type.Array(Type.String()) })
const Failed = Type.Object({ count: Type.Integer({ minimum: 0 }), lastAt: Type.Optional(Type.String()) })

const configs = '/api/admin/configs/server.yaml'

/** The text of server.yaml with another value at `path`. */
const withValue = (text: string, path: readonly string[], value: number): string => {
  const document = parseDocument(text)
  if (document.contents !== null && !isMap(document.contents)) throw new Skipped('server.yaml here is not a mapping')
  document.setIn(path, value)
  return document.toString()
}

const act = (what: 'kick' | 'message' | 'teleport', { playerId }: Pick<Player, 'playerId'>) => ({
  line: `POST /api/admin/players/${playerId}/${what}`,
  json: what === 'kick' ? {} : what === 'message' ? { text: 'hello' } : { x: 0, y: 200, z: 0 },
})

export const permissions = feature('Permissions', [
  check('write', 'of limited sign-ins are those of the default groups', async ({ ask, facts, fixtures }) => {
    if (facts.provider !== 'local' || facts.requirePassword)
      throw new Skipped('this server does not allow sign-ins without a password')
    const { email, token } = await fixtures.holder('limited', ['admin.users.read'])
    expectStatus(await ask({ bearer: token }, 'GET /api/admin/users'), 200)
    const bearer = await fixtures.unverifiedToken(email)
    const { defaultGroups } = expectBody(await ask('administrator', 'GET /api/admin/groups'), Groups)
    const { verified, groups } = expectBody(await ask({ bearer }, 'GET /auth/me'), Own)
    expectEqual('the sign-in', { verified, groups }, { verified: false, groups: defaultGroups })
    expectProblem(await ask({ bearer }, 'GET /api/admin/users'), 403, 'password-sign-in-needed')
  }),
  check('write', 'are not given to an account with a common password', async ({ ask, fixtures }) => {
    const { email } = await fixtures.holder('weak', [])
    const path = `/api/admin/users/${encodeURIComponent(email)}`
    expectStatus(await ask('administrator', `PUT ${path}`, { json: { password: 'password' } }), 200)
    const json = { permission: 'admin.metrics.read' }
    expectProblem(await ask('administrator', `POST ${path}/grants`, { json }), 422, 'common-password')
  }),
  check('write', 'of the parts of server.yaml are needed to change them', async ({ ask, fixtures }) => {
    const { token: bearer } = await fixtures.holder('configs', ['admin.configs.read', 'admin.configs.write'])
    const { text } = await ask('administrator', `GET ${configs}`)
    for (const [path, permission] of [
      [['backups', 'keep', 'last'], 'admin.backups.write'],
      [['history', 'days'], 'admin.history.write'],
      [['http', 'rateLimits', 'requestsPerMinutePerAddress'], 'admin.users.write'],
    ] as const) {
      const answer = await ask({ bearer }, `PUT ${configs}?dryRun=true`, { yaml: withValue(text, path, 17) })
      expectProblem(answer, 403, 'missing-permission')
      expectThat(answer.text.includes(permission), `the name of ${permission}`, () => showAnswer(answer))
    }
  }),
  check('administrator', 'in parallel, requestsPerMinutePerAddress is 1 to 1,000,000', async ({ ask }) => {
    const { text } = await ask('administrator', `GET ${configs}`)
    const rehearse = (count: number) => {
      const yaml = withValue(text, ['http', 'rateLimits', 'requestsPerMinutePerAddress'], count)
      return ask('administrator', `PUT ${configs}?dryRun=true`, { yaml })
    }
    for (const count of [0, 1_000_001, 1.5]) expectProblem(await rehearse(count), 422, 'invalid-config')
    for (const count of [1, 1_000_000]) expectStatus(await rehearse(count), 200)
  }),
  check('write', 'to kick, message and teleport players are three', async ({ ask, fixtures }) => {
    const actions = ['kick', 'message', 'teleport'] as const
    const nobody = { playerId: 'nobody' }
    for (const held of actions) {
      const { token: bearer } = await fixtures.holder(held, [`admin.players.${held}`])
      for (const what of actions) {
        const { line, json } = act(what, nobody)
        const answer = await ask({ bearer }, line, { json })
        if (what === held) expectProblem(answer, 404, 'not-found')
        else {
          expectProblem(answer, 403, 'missing-permission')
          expectThat(answer.text.includes(`admin.players.${what}`), `the name of admin.players.${what}`, () => showAnswer(answer))
        }
      }
    }
  }),
  check('write', 'that a moderator lacks protect their holder from a kick', async ({ ask, fixtures }) => {
    const { token: bearer } = await fixtures.holder('moderator', ['admin.players.kick'])
    const higher = await fixtures.holder('higher', ['admin.metrics.read'])
    const equal = await fixtures.player()
    await fixtures.join(higher)
    await fixtures.join(equal)
    const kick = (player: Player) => {
      const { line, json } = act('kick', player)
      return ask({ bearer }, line, { json })
    }
    expectProblem(await kick(higher), 403, 'beyond-own-permissions')
    expectStatus(await kick(equal), 204)
  }),
  check(
    'write',
    'in parallel, wrong passwords are counted until the next right one, which reports them',
    async ({ ask, fixtures }) => {
      const { email, password } = await fixtures.holder('failed', [])
      const signIn = (tried: string) => ask('nobody', 'POST /auth/login', { json: { email, password: tried } })
      const count = async () => {
        const answer = await ask('administrator', `GET /api/admin/users/${encodeURIComponent(email)}/sign-ins`)
        return expectBody(answer, Type.Object({ failed: Failed })).failed.count
      }
      for (const tried of ['not the password', 'another wrong one']) await signIn(tried)
      expectEqual('failed', await count(), 2)
      const right = await signIn(password)
      expectEqual('failed', expectBody(right, Type.Object({ failed: Failed })).failed.count, 2)
      expectEqual('failed', await count(), 0)
    },
  ),
])
