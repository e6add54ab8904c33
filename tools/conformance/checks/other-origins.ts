import { check, feature } from '../check.ts'
import { expectNoHeader } from '../report/expectations.ts'

const foreign = 'https://conformance.example'
const corsHeaders = ['Access-Control-Allow-Origin', 'Access-Control-Allow-Credentials', 'Access-Control-Allow-Methods']

export const otherOrigins = feature('Pages of other origins', [
  check('nothing', 'cannot read answers', async ({ ask }) => {
    for (const target of ['/api/auth/config', '/api/classes', '/api/admin/users', '/no/such/address']) {
      const answer = await ask('nobody', `GET ${target}`, { headers: { Origin: foreign } })
      for (const name of corsHeaders) expectNoHeader(answer, name)
    }
  }),
  check('nothing', 'get no permission from a preflight', async ({ ask }) => {
    const headers = {
      Origin: foreign,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization',
    }
    const answer = await ask('nobody', 'OPTIONS /auth/login', { headers })
    for (const name of corsHeaders) expectNoHeader(answer, name)
  }),
  check('nothing', 'named null or similar to an allowed one are refused too', async ({ ask, url }) => {
    for (const Origin of ['null', `${new URL(url).origin}.conformance.example`]) {
      const answer = await ask('nobody', 'GET /api/auth/config', { headers: { Origin } })
      expectNoHeader(answer, 'Access-Control-Allow-Origin')
    }
  }),
])
