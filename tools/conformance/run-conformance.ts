import { Type } from '@sinclair/typebox'
import { createParser } from '../../shared/kernel/schema.ts'
import { asksForHelp } from '../usage/asks-for-help.ts'
import {
  type ConformanceOptions,
  conformanceUsage,
  parseConformanceArguments,
  type SecretSource,
} from './arguments/conformance-arguments.ts'
import type { ServerFacts } from './clean-up.ts'
import type { Credentials } from './client/administrator.ts'
import { SignInRefused } from './client/administrator.ts'
import { createHttpClient, createRedactor, type HttpClient, jsonOf, NoAnswer } from './client/http-client.ts'
import type { ConformanceEdges } from './conformance-edges.ts'
import { type ApiDescription, parseApiDescription } from './rules/api-description.ts'
import { runSuite } from './run-suite.ts'

const requestTimeoutMs = 30_000

/** The server at the address is not Gatehouse, or reports too little to be checked. */
class NotGatehouse extends Error {}

const parseFacts = createParser(Type.Object({ provider: Type.String(), requirePassword: Type.Boolean() }))

const readJson = async (client: HttpClient, target: string): Promise<unknown> => {
  const answer = await client.send({ method: 'GET', target, headers: {} })
  if (answer.status !== 200) throw new NotGatehouse(`GET ${target} answered ${answer.status}`)
  return jsonOf(answer)
}

const readServer = async (client: HttpClient): Promise<{ readonly api: ApiDescription; readonly facts: ServerFacts }> => {
  const document = await readJson(client, '/api/openapi.json')
  const facts = parseFacts(await readJson(client, '/api/auth/config'))
  if (!facts.ok) throw new NotGatehouse('GET /api/auth/config does not say how to sign in')
  try {
    return { api: parseApiDescription(document), facts: facts.value }
  } catch (error) {
    throw new NotGatehouse(error instanceof Error ? error.message : String(error))
  }
}

const readCredentials = async (
  { credentials }: ConformanceOptions,
  readSecret: ConformanceEdges['readSecret'],
): Promise<Credentials> => {
  const readFrom = (source: SecretSource, what: 'Password' | 'Token') =>
    source.from === 'given' ? source.value : readSecret(what)
  if (credentials.kind === 'none') return credentials
  if (credentials.kind === 'token') return { kind: 'token', token: await readFrom(credentials.token, 'Token') }
  return { ...credentials, password: await readFrom(credentials.password, 'Password') }
}

/** The conformance suite from its command line to its exit status: 0 nothing failed, 1 something failed, 2 it could not begin. */
export const runConformance = async (edges: ConformanceEdges): Promise<0 | 1 | 2> => {
  if (asksForHelp(edges.args)) {
    edges.print(`${conformanceUsage}\n`)
    return 0
  }
  const parsed = parseConformanceArguments(edges.args, edges.env)
  if (!parsed.ok) {
    edges.complain(`${parsed.reason}\n\n${conformanceUsage}\n`)
    return 2
  }
  const { options } = parsed
  const redactor = createRedactor()
  const client = createHttpClient(options.url, requestTimeoutMs)
  try {
    const server = await readServer(client)
    const credentials = await readCredentials(options, edges.readSecret)
    return await runSuite({ ...edges, options, credentials, client, redactor, ...server })
  } catch (error) {
    if (!(error instanceof NoAnswer || error instanceof NotGatehouse || error instanceof SignInRefused)) throw error
    edges.complain(`${options.url}: ${redactor.redact(error.message)}\n`)
    return 2
  } finally {
    client.close()
  }
}
