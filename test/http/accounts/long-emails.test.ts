import { describe, expect, it } from '@jest/globals'
import { accountRoutes } from '../../../functions/accounts/routes.ts'
import { authRoutes } from '../../../functions/auth/routes.ts'
import { doors } from '../doors.ts'

const routes = [...accountRoutes, ...authRoutes]
const password = 'correct horse battery'
const email = `${'字'.repeat(100)}@example.com`

describe.each(doors)('an email of more than 254 bytes through %s', (_name, open) => {
  it('answers 400 at /email for a new account, and signs in an existing one', async () => {
    const { post, accountStore, people } = await open({ routes, as: 'admin' })
    const refused = { status: 400, body: { errors: [{ pointer: '/email', message: 'must have at most 254 bytes in UTF-8' }] } }
    expect(await post('/api/admin/users', { email, password })).toMatchObject(refused)
    expect(await post('/auth/login', { email })).toMatchObject(refused)
    expect(await accountStore.findByEmail(email)).toBeUndefined()

    const account = { ...people.player, email, playerId: 'd5a0d0f6-6a3a-4f0e-9d3c-0a4a4ad3a001' }
    await accountStore.change(email, () => ({ next: account, result: undefined }))
    expect(await post('/auth/login', { email })).toMatchObject({ status: 200, body: { playerId: account.playerId } })
    expect(await post('/api/admin/users', { email, password })).toMatchObject(refused)
  })
})
