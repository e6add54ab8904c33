import type { TSchema } from '@sinclair/typebox'
import { createReferences, type SchemaNames } from '../../functions/http/openapi/schema-references.ts'
import type { Route } from '../../functions/http/route.ts'
import { printType } from './type-text.ts'

/** `/users/:email` as `/users/{email}` and `/configs/*name` as `/configs/{name}`, as in OpenAPI. */
const templateOf = (path: string): string => path.replaceAll(/[*:](\w+)/g, '{$1}')

const isJson = (mediaType: string): boolean => /^application\/([\w.-]+\+)?json$/.test(mediaType)

const indent = '      '

type Refer = ReturnType<typeof createReferences>['refer']

const printAnswer = (route: Route, [status, answer]: readonly [string, TSchema | string], refer: Refer): string => {
  if (typeof answer === 'string') return status === '204' ? 'undefined' : 'unknown'
  const { mediaType = 'application/json', alternatives = {} } = route
  const others = status === '200' ? Object.keys(alternatives).map((other) => (isJson(other) ? 'unknown' : 'string')) : []
  return [isJson(mediaType) ? printType(refer(answer), indent) : 'string', ...others].join(' | ')
}

/** Answers except redirects and WebSocket upgrades. */
const listAnswers = ({ responses }: Route): readonly [string, TSchema | string][] =>
  Object.entries(responses).filter(([status]) => status.startsWith('2'))

const printRoute = (route: Route, refer: Refer): string => {
  const { method, path, summary, params, query, body, bodyMediaTypes } = route
  const parts = [
    ['params', params === undefined ? 'undefined' : printType(refer(params), '    ')],
    ['query', query === undefined ? 'undefined' : printType(refer(query), '    ')],
    ['body', body === undefined ? 'undefined' : bodyMediaTypes === undefined ? printType(refer(body), '    ') : 'string'],
  ] as const
  const answers = listAnswers(route).map(
    ([status, answer]) => `${indent}readonly ${status}: ${printAnswer(route, [status, answer], refer)}\n`,
  )
  const lines = parts.map(([name, type]) => `    readonly ${name}: ${type}\n`)
  return [
    `  /** ${summary} */\n`,
    `  readonly '${method.toUpperCase()} ${templateOf(path)}': {\n`,
    ...lines,
    `    readonly answers: {\n${answers.join('')}    }\n  }\n`,
  ].join('')
}

const printNamed = ([name, schema]: readonly [string, Readonly<Record<string, unknown>>]): string => {
  const comment = typeof schema.description === 'string' ? `/** ${schema.description.replaceAll('*/', '* /')} */\n` : ''
  return `${comment}export type ${name} = ${printType(schema)}\n\n`
}

/** The types of every route with a body in its answer, for the client library, and the types that have names. */
export const createApiPaths = (routes: readonly Route[], names: SchemaNames): string => {
  const { refer, components } = createReferences(names)
  const printed = routes.filter((route) => listAnswers(route).length > 0).map((route) => printRoute(route, refer))
  const named = Object.entries(components).map(printNamed)
  return `// Made from the list of routes by \`npm run generate\`.\n\n${named.join('')}/** Every route: its parameters, and what it answers by status. */\nexport interface ApiPaths {\n${printed.join('')}}\n`
}
