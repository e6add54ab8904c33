import { check, feature } from '../check.ts'
import { headerOf } from '../client/http-client.ts'
import { expectThat, showAnswer } from '../report/expectations.ts'

const insane = ['a b', 'a=b', 'x'.repeat(65), '<script>', '../up']

export const requestIds = feature('Request ids', [
  check('nothing', 'that are not plain words are replaced', async ({ ask }) => {
    for (const sent of insane) {
      const answer = await ask('nobody', 'GET /healthz', { headers: { 'X-Request-Id': sent } })
      const given = headerOf(answer, 'X-Request-Id')
      expectThat(given !== undefined && given !== sent && /^[\w.-]{1,64}$/.test(given), 'a new request id of the server', () =>
        showAnswer(answer),
      )
    }
  }),
])
