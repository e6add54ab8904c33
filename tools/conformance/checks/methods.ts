import { type Check, check, type Feature } from '../check.ts'
import { headerOf } from '../client/http-client.ts'
import { addressOfNothing, callerFor } from '../client/operation-requests.ts'
import { expectEqual, expectNoBody, expectProblem, expectStatus } from '../report/expectations.ts'
import type { ApiDescription } from '../rules/api-description.ts'

const every = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH']

const listMethods = (allow: string | undefined): readonly string[] =>
  (allow ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .toSorted()

const methodChecks = (api: ApiDescription): readonly Check[] =>
  api.operations.flatMap((operation, i) => {
    const { path } = operation
    if (api.operations.findIndex((other) => other.path === path) < i) return []
    const address = addressOfNothing(operation)
    const taken = api.operations.filter((other) => other.path === path).map(({ method }) => method)
    const allow = [...taken, ...(taken.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].toSorted()
    return [
      check('nothing', `${path} answers 405 with Allow to other methods`, async ({ ask }) => {
        for (const method of every.filter((name) => !taken.includes(name))) {
          const answer = await ask('nobody', `${method} ${address}`)
          expectProblem(answer, 405, 'method-not-allowed')
          expectEqual('Allow', listMethods(headerOf(answer, 'Allow')), allow)
        }
      }),
      check('nothing', `${path} answers OPTIONS with its methods`, async ({ ask }) => {
        const answer = await ask('nobody', `OPTIONS ${address}`)
        expectStatus(answer, 204)
        expectEqual('Allow', listMethods(headerOf(answer, 'Allow')), allow)
      }),
    ]
  })

const headChecks = ({ operations }: ApiDescription): readonly Check[] =>
  operations
    .filter(({ method }) => method === 'GET')
    .map((operation) => {
      const { as, need } = callerFor(operation)
      return check(need, `HEAD ${operation.path} answers as GET does, without the body`, async ({ ask }) => {
        const address = addressOfNothing(operation)
        const [full, head] = [await ask(as, `GET ${address}`), await ask(as, `HEAD ${address}`)]
        expectStatus(head, full.status)
        expectNoBody(head)
        for (const name of ['Content-Type', 'ETag', 'Cache-Control'])
          expectEqual(name, headerOf(head, name), headerOf(full, name))
      })
    })

export const methods: Feature = { name: 'Methods', checks: (api) => [...methodChecks(api), ...headChecks(api)] }
