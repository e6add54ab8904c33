import { type Static, Type } from '@sinclair/typebox'
import { check, feature, type Kit } from '../check.ts'
import { removeAccount } from '../fixtures/player.ts'
import {
  expectBody,
  expectEqual,
  expectEtag,
  expectHeader,
  expectNoBody,
  expectProblem,
  expectSorted,
  expectStatus,
  expectThat,
  pointersOf,
  showAnswer,
} from '../report/expectations.ts'
import { Skipped } from '../report/skipped.ts'

const Account = Type.Object({
  email: Type.String(),
  displayName: Type.String(),
  groups: Type.Array(Type.String()),
  hasPassword: Type.Boolean(),
  nameKey: Type.Optional(Type.String()),
})
const Page = Type.Object({ users: Type.Array(Account), nextCursor: Type.Optional(Type.String()) })

const addressOf = (email: string): string => `/api/admin/users/${encodeURIComponent(email)}`
const asAdministrator = (kit: Kit) => (what: string, send?: Parameters<Kit['ask']>[2]) => kit.ask('administrator', what, send)

/** Creates a test account, and removes it at the end. */
const createAccount = async (kit: Kit, suffix: string): Promise<Static<typeof Account> & { readonly etag: string }> => {
  const ask = asAdministrator(kit)
  const email = `${kit.name}-${suffix}@example.com`
  kit.cleanUp.later(`the account ${email}`, () => removeAccount({ ask }, email))
  const made = await ask('POST /api/admin/users', {
    json: { email, password: `a password for ${suffix}`, displayName: `Conformance ${suffix}` },
  })
  expectStatus(made, 201)
  expectHeader(made, 'Location', addressOf(email))
  return { ...expectBody(made, Account), etag: expectEtag(made) }
}

export const accounts = feature('Accounts', [
  check('administrator', 'are listed by email, page by page, each once', async (kit) => {
    const ask = asAdministrator(kit)
    const emails: string[] = []
    let cursor: string | undefined
    do {
      const page: Static<typeof Page> = expectBody(
        await ask(`GET /api/admin/users?limit=2${cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`}`),
        Page,
      )
      expectThat(page.users.length <= 2, 'two at most', () => String(page.users.length))
      emails.push(...page.users.map(({ email }) => email))
      cursor = page.nextCursor
    } while (cursor !== undefined && emails.length < 10)
    expectSorted('accounts', emails, (one, other) => (one < other ? -1 : one > other ? 1 : 0))
  }),
  check('administrator', 'are found by a part of the email in any case, and never shown with a hash', async (kit) => {
    if (kit.email === undefined) throw new Skipped('needs the administrator’s email')
    const email = kit.email.trim().toLowerCase()
    const answer = await asAdministrator(kit)(`GET /api/admin/users?q=${encodeURIComponent(email.toUpperCase())}`)
    const { users } = expectBody(answer, Page)
    expectThat(
      users.some((user) => user.email === email),
      'the administrator’s account',
      () => showAnswer(answer),
    )
    expectThat(!/\$2[aby]\$|passwordHash/.test(answer.text), 'no hash', () => 'one')
  }),
  check('write', 'are created with the default groups, and read again with the same tag', async (kit) => {
    const ask = asAdministrator(kit)
    const { email, etag, groups, hasPassword } = await createAccount(kit, 'made')
    const { defaultGroups } = expectBody(
      await ask('GET /api/admin/groups'),
      Type.Object({ defaultGroups: Type.Array(Type.String()) }),
    )
    expectEqual('groups', groups, defaultGroups)
    expectEqual('hasPassword', hasPassword, true)
    const read = await ask(`GET ${addressOf(email.toUpperCase())}`)
    expectStatus(read, 200)
    expectEqual('the ETag', expectEtag(read), etag)
  }),
  check('write', 'are not created twice', async (kit) => {
    const { email } = await createAccount(kit, 'twice')
    const json = { email: ` ${email.toUpperCase()}`, password: 'another password' }
    expectProblem(await asAdministrator(kit)('POST /api/admin/users', { json }), 409, 'already-exists')
  }),
  check('write', 'are not created without a valid email, a valid password and existing groups', async (kit) => {
    const ask = asAdministrator(kit)
    const email = `${kit.name}-never@example.com`
    kit.cleanUp.later(`the account ${email}`, () => removeAccount({ ask }, email))
    const password = 'a password of eight bytes or more'
    const refuse = async (json: unknown, status: number, slug: string, pointer: string) => {
      const answer = await ask('POST /api/admin/users', { json })
      expectProblem(answer, status, slug)
      expectThat(
        pointersOf(answer).some((at) => at.startsWith(pointer)),
        `errors at ${pointer}`,
        () => showAnswer(answer),
      )
    }
    await refuse({ email: 'no email', password }, 400, 'bad-request', '/email')
    await refuse({ email, password: '1234567' }, 400, 'bad-request', '/password')
    await refuse({ email, password: 'ä'.repeat(37) }, 400, 'bad-request', '/password')
    await refuse({ email, password, groups: [`${kit.name}-no-group`] }, 422, 'unknown-group', '/groups/0')
    expectProblem(await ask(`GET ${addressOf(email)}`), 404, 'not-found')
  }),
  check('write', 'are changed only by a caller with the current tag', async (kit) => {
    const ask = asAdministrator(kit)
    const { email, etag } = await createAccount(kit, 'changed')
    const change = (displayName: string, tag: string) =>
      ask(`PUT ${addressOf(email)}`, { json: { displayName }, headers: { 'If-Match': tag } })
    const changed = await change('Conformance once', etag)
    expectStatus(changed, 200)
    expectEqual('displayName', expectBody(changed, Account).displayName, 'Conformance once')
    for (const stale of [etag, `W/${expectEtag(changed)}`]) expectProblem(await change('Conformance twice', stale), 412, 'stale')
    expectProblem(await change('Conformance twice', 'no tag'), 400, 'bad-request')
    expectProblem(await ask(`DELETE ${addressOf(email)}`, { headers: { 'If-Match': etag } }), 412, 'stale')
    expectEqual('displayName', expectBody(await ask(`GET ${addressOf(email)}`), Account).displayName, 'Conformance once')
  }),
  check('write', 'get no unknown permission or group, and none that cannot apply at the place', async (kit) => {
    const ask = asAdministrator(kit)
    const { email } = await createAccount(kit, 'granted')
    const grants = `${addressOf(email)}/grants`
    const [world] = expectBody(await ask('GET /api/admin/worlds'), Type.Array(Type.Object({ name: Type.String() })))
    const misspelt = await ask(`POST ${grants}`, { json: { permission: 'zone.buld' } })
    expectProblem(misspelt, 422, 'unknown-permission')
    expectThat(misspelt.text.includes('zone.build'), 'the nearest name', () => showAnswer(misspelt))
    expectProblem(await ask(`POST ${grants}`, { json: { permission: 'command.msg' } }), 422, 'unknown-permission')
    expectProblem(await ask(`POST ${grants}`, { json: { permission: `module.${kit.name}.none` } }), 422, 'unknown-permission')
    expectProblem(await ask(`POST ${grants}`, { json: { group: `${kit.name}-no-group` } }), 422, 'unknown-group')
    if (world !== undefined) {
      const json = { permission: 'admin.configs.write', world: world.name }
      expectProblem(await ask(`POST ${grants}`, { json }), 422, 'rule-broken')
    }
    const explained = await ask(`GET /api/admin/explain?email=${encodeURIComponent(email)}&permission=zone.buld`)
    expectProblem(explained, 422, 'unknown-permission')
  }),
  check('write', 'are undone field by field, and a refusal names the last editor of a field', async (kit) => {
    const ask = asAdministrator(kit)
    const { email, displayName } = await createAccount(kit, 'undone')
    const lastUndo = async () => {
      const { entries } = expectBody(
        await ask(`GET /api/admin/audit?limit=1&target=${encodeURIComponent(email)}`),
        Type.Object({ entries: Type.Array(Type.Object({ id: Type.String() })) }),
      )
      return `POST /api/admin/audit/${encodeURIComponent(entries[0]?.id ?? '')}/undo`
    }
    expectStatus(await ask(`PUT ${addressOf(email)}`, { json: { displayName: `${kit.name} renamed` } }), 200)
    const renamed = await lastUndo()
    expectStatus(await ask(`POST ${addressOf(email)}/grants`, { json: { permission: 'world.build' } }), 201)
    expectStatus(await ask(renamed), 200)
    const { displayName: restored } = expectBody(await ask(`GET ${addressOf(email)}`), Account)
    expectEqual('displayName', restored, displayName)
    const again = await ask(renamed)
    expectProblem(again, 409, 'changed-since')
    const Changed = Type.Object({
      changed: Type.Array(Type.Object({ pointer: Type.String(), by: Type.String(), at: Type.String() })),
    })
    expectEqual('the pointer', expectBody(again, Changed).changed[0]?.pointer, '/displayName')
  }),
  check('write', 'lose their tokens with a new password and with their deletion', async (kit) => {
    if (kit.facts.provider !== 'local') throw new Skipped('test accounts cannot sign in through an identity provider')
    const ask = asAdministrator(kit)
    const { email } = await createAccount(kit, 'gone')
    const signIn = async (password: string) => {
      const answer = await kit.ask('nobody', 'POST /auth/login', { json: { email, password } })
      expectStatus(answer, 200)
      return expectBody(answer, Type.Object({ token: Type.String() })).token
    }
    const first = await signIn('a password for gone')
    expectStatus(await ask(`PUT ${addressOf(email)}`, { json: { password: 'another for gone' } }), 200)
    expectProblem(await kit.ask({ bearer: first }, 'GET /auth/me'), 401, 'invalid-token')
    const second = await signIn('another for gone')
    const removed = await ask(`DELETE ${addressOf(email)}`)
    expectStatus(removed, 204)
    expectNoBody(removed)
    expectProblem(await kit.ask({ bearer: second }, 'GET /auth/me'), 401, 'invalid-token')
    expectProblem(await ask(`GET ${addressOf(email)}`), 404, 'not-found')
    expectProblem(await ask(`DELETE ${addressOf(email)}`), 404, 'not-found')
  }),
  check('write', 'have a unique display name unless forced, and never a reserved one', async (kit) => {
    const ask = asAdministrator(kit)
    const { email, displayName } = await createAccount(kit, 'name')
    const other = `${kit.name}-same@example.com`
    kit.cleanUp.later(`the account ${other}`, () => removeAccount({ ask }, other))
    const json = { email: other, password: 'a password for same', displayName: displayName.toUpperCase() }
    const taken = await ask('POST /api/admin/users', { json })
    expectProblem(taken, 409, 'display-name-taken')
    expectEqual('the pointer', pointersOf(taken)[0], '/displayName')
    expectStatus(await ask('POST /api/admin/users', { json: { ...json, force: true } }), 201)
    for (const name of ['Admin', 'system', 'SERVER', 'operator']) {
      const reserved = await ask(`PUT ${addressOf(email)}`, { json: { displayName: name, force: true } })
      expectProblem(reserved, 409, 'display-name-taken')
    }
  }),
  check('write', 'with administrator permissions cannot have one of the most common passwords', async (kit) => {
    const ask = asAdministrator(kit)
    const email = `${kit.name}-common@example.com`
    kit.cleanUp.later(`the account ${email}`, () => removeAccount({ ask }, email))
    const json = { email, password: 'password', displayName: 'Conformance common', groups: ['admin'] }
    expectProblem(await ask('POST /api/admin/users', { json }), 422, 'common-password')
    expectProblem(await ask(`GET ${addressOf(email)}`), 404, 'not-found')
  }),
  check('write', 'are merged, with a preview, and not into themselves', async (kit) => {
    const ask = asAdministrator(kit)
    const [from, into] = [`${kit.name}-from@example.com`, `${kit.name}-into@example.com`]
    for (const email of [from, into]) {
      kit.cleanUp.later(`the account ${email}`, () => removeAccount({ ask }, email))
      expectStatus(await ask('POST /api/admin/users', { json: { email, password: `the password of ${kit.name}` } }), 201)
    }
    const merge = (json: object) => ask(`POST ${addressOf(from)}/merge`, { json })
    expectProblem(await merge({ into: from }), 422, 'rule-broken')
    expectProblem(await merge({ into: `${kit.name}-nobody@example.com` }), 404, 'not-found')
    expectStatus(await merge({ into, dryRun: true }), 200)
    expectStatus(await ask(`GET ${addressOf(from)}`), 200)
    expectStatus(await merge({ into }), 200)
    expectProblem(await ask(`GET ${addressOf(from)}`), 404, 'not-found')
  }),
  check('write', 'change their email, unless another account has it', async (kit) => {
    const ask = asAdministrator(kit)
    const { email } = await createAccount(kit, 'leaves')
    const { email: taken } = await createAccount(kit, 'stays')
    expectProblem(await ask(`PUT ${addressOf(email)}`, { json: { email: taken } }), 409, 'already-exists')
    const moved = `${kit.name}-moved@example.com`
    kit.cleanUp.later(`the account ${moved}`, () => removeAccount({ ask }, moved))
    const answer = await ask(`PUT ${addressOf(email)}`, { json: { email: moved } })
    expectStatus(answer, 200)
    expectEqual('email', expectBody(answer, Account).email, moved)
    expectProblem(await ask(`GET ${addressOf(email)}`), 404, 'not-found')
  }),
  check('administrator', 'are listed by when they were last seen, for a valid time only', async (kit) => {
    const ask = asAdministrator(kit)
    const none = expectBody(await ask('GET /api/admin/users?inactiveSince=2000-01-01T00%3A00%3A00Z'), Page)
    expectEqual('accounts', none.users.length, 0)
    for (const since of ['yesterday', '2000-01-01', ''])
      expectProblem(await ask(`GET /api/admin/users?inactiveSince=${since}`), 400, 'bad-request')
  }),
  check('write', 'are listed when their display name looks like that of another account', async (kit) => {
    const ask = asAdministrator(kit)
    for (const [part, displayName] of [
      ['one', 'Conformance alike 1'],
      ['two', 'Conformance alike l'],
    ] as const) {
      const email = `${kit.name}-alike-${part}@example.com`
      kit.cleanUp.later(`the account ${email}`, () => removeAccount({ ask }, email))
      const json = { email, displayName, password: 'a password for names', force: true }
      expectStatus(await ask('POST /api/admin/users', { json }), 201)
    }
    const { users } = expectBody(await ask(`GET /api/admin/users?sharesName=true&q=${kit.name}-alike`), Page)
    expectEqual('accounts', users.length, 2)
    expectEqual('key of the name', users[1]?.nameKey, users[0]?.nameKey)
    expectProblem(await ask('GET /api/admin/users?sharesName=maybe'), 400, 'bad-request')
  }),
  check('write', 'are found by one form of the domain of their email', async (kit) => {
    const ask = asAdministrator(kit)
    const [written, email] = [`${kit.name}-uts@münchen.example`, `${kit.name}-uts@xn--mnchen-3ya.example`]
    kit.cleanUp.later(`the account ${email}`, () => removeAccount({ ask }, email))
    const json = { email: written, password: 'a password for uts', displayName: 'Conformance uts' }
    const made = await ask('POST /api/admin/users', { json })
    expectStatus(made, 201)
    expectEqual('email', expectBody(made, Account).email, email)
    for (const form of [written, email]) expectStatus(await ask(`GET ${addressOf(form)}`), 200)
    expectProblem(await ask('POST /api/admin/users', { json: { ...json, email, force: true } }), 409, 'already-exists')
  }),
  check('write', 'sign in with their password in either form of Unicode', async (kit) => {
    if (kit.facts.provider !== 'local') throw new Skipped('test accounts cannot sign in through an identity provider')
    const ask = asAdministrator(kit)
    const { email } = await createAccount(kit, 'forms')
    const password = 'ein schönes Paßwort, é'
    expectStatus(await ask(`PUT ${addressOf(email)}`, { json: { password: password.normalize('NFD') } }), 200)
    for (const form of ['NFC', 'NFD'] as const) {
      const json = { email, password: password.normalize(form) }
      const answer = await kit.ask('nobody', 'POST /auth/login', { json })
      expectStatus(answer, 200)
      expectEqual('verified', expectBody(answer, Type.Object({ verified: Type.Boolean() })).verified, true)
    }
  }),
])
