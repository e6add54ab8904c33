// Lists accounts, and adds one: node admin.js http://127.0.0.1:3000 admin@example.com PASSWORD new@example.com NEW-PASSWORD
import { signIn } from 'gatehouse-client'
import { createCall, ProblemError } from 'gatehouse-client/admin'

const [url, email, password, newEmail, newPassword] = process.argv.slice(2)
const me = await signIn({ url, email, password })
const call = createCall(me)
try {
  if (newEmail !== undefined) await call('POST /api/admin/users', { body: { email: newEmail, password: newPassword } })
  const { body } = await call('GET /api/admin/users', { query: { limit: 50 } })
  for (const account of body.users) console.log(account.email, account.groups.join(','))
} catch (error) {
  if (!(error instanceof ProblemError)) throw error
  console.error(`${error.type}: ${error.message}`)
  process.exitCode = 1
}
me.close()
