import { describe, expect, it } from '@jest/globals'
import { hashSync } from 'bcryptjs'
import { allRoutes } from '../../../functions/all-routes.ts'
import { doors } from '../doors.ts'

const email = 'player@example.com'
const common = 'password1'
const refused = {
  status: 403,
  body: { type: '/problems/password-sign-in-needed', detail: expect.stringContaining('/auth/password') },
}
const notPromoted = {
  status: 422,
  body: { type: '/problems/common-password', detail: expect.stringContaining('another password') },
}

describe.each(doors)('an account with a common password through %s', (_name, open) => {
  const openApp = async () => {
    const app = await open({ routes: allRoutes })
    const admin = { authorization: `Bearer ${await app.issueToken('admin')}` }
    const signIn = async (password: string) => {
      const { body } = await app.post('/auth/login', { email, password })
      return { verified: body.verified, headers: { authorization: `Bearer ${body.token}` } }
    }
    const plant = async (groups: readonly string[]) =>
      app.accountStore.change(email, (before) => {
        const { passwordKind: _, ...account } = before ?? app.people.player
        return { next: { ...account, groups: [...groups], passwordHash: hashSync(common, 4) }, result: undefined }
      })
    return { ...app, admin, signIn, plant }
  }

  it('has no admin. permissions, by group or grant, until it has another password', async () => {
    const app = await openApp()
    const path = `/api/admin/users/${email}`
    expect(await app.put(path, { password: common }, app.admin)).toMatchObject({ status: 200 })
    const promote = () => app.put(path, { groups: ['admin'] }, app.admin)
    const grant = () => app.post(`${path}/grants`, { permission: 'admin.users.read' }, app.admin)
    expect(await promote()).toMatchObject(notPromoted)
    expect(await grant()).toMatchObject(notPromoted)
    expect(await app.post(`${path}/grants`, { permission: 'world.build' }, app.admin)).toMatchObject({ status: 201 })
    expect(await app.put(path, { password: 'jH4!xk09-quiet-otter' }, app.admin)).toMatchObject({ status: 200 })
    expect(await grant()).toMatchObject({ status: 201 })
    expect(await promote()).toMatchObject({ status: 200 })
  })

  it('is marked at sign-in, and gains nothing by a change of groups.yaml', async () => {
    const app = await openApp()
    await app.plant(['player'])
    const before = await app.signIn(common)
    const { permissions } = app.deps
    permissions.replace({ groups: [{ name: 'player', permissions: ['admin.users.read'] }], defaultGroups: ['player'] })
    expect(await app.get('/api/admin/users', before.headers)).toMatchObject(refused)
  })

  it('can administer again after it sets another password', async () => {
    const app = await openApp()
    await app.plant(['admin'])
    const { verified, headers } = await app.signIn(common)
    expect(verified).toBe(true)
    expect(await app.get('/api/admin/users', headers)).toMatchObject(refused)
    expect((await app.get('/auth/permissions', headers)).body).toMatchObject({ needsNewPassword: true, permissions: [] })
    expect(await app.post('/auth/password', { current: common, next: 'password' }, headers)).toMatchObject({ status: 422 })
    const next = 'jH4!xk09-quiet-otter'
    expect(await app.post('/auth/password', { current: common, next }, headers)).toMatchObject({ status: 204 })
    expect((await app.get('/auth/permissions', headers)).body).toMatchObject({ needsNewPassword: false })
    expect(await app.get('/api/admin/users', headers)).toMatchObject({ status: 200 })
  })
})
