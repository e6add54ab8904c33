import { type Check, check, type Feature } from '../check.ts'
import { addressOfNothing, callerFor, harmlessBody, jsonBodyOf } from '../client/operation-requests.ts'
import { createSample, findWrongText } from '../client/sample-values.ts'
import { expectFaultAt, expectProblem, expectStatus } from '../report/expectations.ts'
import { nameOperation, type Operation, takesFile } from '../rules/api-description.ts'

/** The end of the description of a page, or of a redirect to one. */
const saysIgnored = ' The query is ignored.'

/** Identity providers add their own keys to the query. */
const takesMore = ['/auth/oauth/start', '/auth/callback']

const queryChecks = (operation: Operation): readonly Check[] => {
  if (takesMore.includes(operation.path)) return []
  const { as, need } = callerFor(operation)
  const what = `${operation.method} ${addressOfNothing(operation)}`
  const name = nameOperation(operation)
  const known = operation.parameters.filter((one) => one.in === 'query')
  // A server that ignores the query would execute a write without a body.
  const acts = operation.method !== 'GET' && operation.requestBody === undefined && operation.permission !== 'none'
  if (operation.description.endsWith(saysIgnored))
    return [
      check(need, `${name} ignores the query of a link`, async ({ ask }) => {
        const plain = await ask(as, what)
        for (const query of ['utm_source=conformance', 'a=1&a=2', 'q=100%'])
          expectStatus(await ask(as, `${what}?${query}`), plain.status)
      }),
    ]
  const unknown = check(acts ? 'write' : need, `${name} refuses an unknown query`, async ({ ask }) => {
    expectFaultAt(await ask(as, `${what}?conformance-key=1`, harmlessBody(operation)), '/conformance-key')
  })
  const wrong = check(need, `${name} reports each invalid or repeated query`, async ({ ask }) => {
    for (const { name: key, schema } of known) {
      const text = findWrongText(schema)
      const query = text === undefined ? undefined : `${key}=${encodeURIComponent(text)}`
      if (query !== undefined) expectFaultAt(await ask(as, `${what}?${query}`, harmlessBody(operation)), `/${key}`)
      expectFaultAt(await ask(as, `${what}?${key}=1&${key}=2`, harmlessBody(operation)), `/${key}`)
    }
  })
  return [unknown, ...(known.length === 0 ? [] : [wrong])]
}

const pathChecks = (operation: Operation): readonly Check[] => {
  const inPath = operation.parameters.filter((one) => one.in === 'path')
  if (inPath.length === 0 || takesFile(operation)) return []
  const { as, need } = callerFor(operation)
  const body = jsonBodyOf(operation)
  const send =
    body === undefined ? (harmlessBody(operation).yaml === undefined ? {} : { yaml: '{}\n' }) : { json: createSample(body) }
  const absent = check(need, `${nameOperation(operation)} answers 404 to an unknown name`, async ({ ask }) => {
    expectProblem(await ask(as, `${operation.method} ${addressOfNothing(operation)}`, send), 404, 'not-found')
  })
  const strict = inPath.filter(({ schema }) => schema.format === 'uuid')
  const malformed = check(need, `${nameOperation(operation)} reports an invalid address`, async ({ ask }) => {
    for (const { name } of strict) {
      const target = operation.path.replace(`{${name}}`, 'no-such-form')
      expectFaultAt(await ask(as, `${operation.method} ${target}`, send), `/${name}`)
    }
  })
  return [absent, ...(strict.length === 0 ? [] : [malformed])]
}

export const queries: Feature = { name: 'Queries', checks: ({ operations }) => operations.flatMap(queryChecks) }

export const addresses: Feature = { name: 'Parameters in addresses', checks: ({ operations }) => operations.flatMap(pathChecks) }
