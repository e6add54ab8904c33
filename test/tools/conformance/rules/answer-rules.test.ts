import { describe, expect, it } from '@jest/globals'
import { allRoutes } from '../../../../functions/all-routes.ts'
import { createOpenapi } from '../../../../functions/http/openapi/openapi.ts'
import type { Answer } from '../../../../tools/conformance/client/http-client.ts'
import { answerRules } from '../../../../tools/conformance/rules/answer-rules.ts'
import type { ApiDescription } from '../../../../tools/conformance/rules/api-description.ts'
import { parseApiDescription } from '../../../../tools/conformance/rules/api-description.ts'

const document = JSON.parse(JSON.stringify(createOpenapi(allRoutes, { version: '1.2.3', baseUrl: 'http://127.0.0.1' })))
const api: ApiDescription = parseApiDescription(document)

const browser = 'text/html,application/xhtml+xml,*/*;q=0.8'

const createPage = (target: string, accept: string | undefined, status = 404, text = '<p>Not found</p>'): Answer => ({
  sent: { method: 'GET', target, requestId: 'r', origin: undefined, accept },
  status,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  bytes: Buffer.from(text),
  text,
})

const faultsOf = (answer: Answer, name: RegExp) =>
  answerRules.filter((rule) => name.test(rule.name)).map((rule) => rule.findFault(answer, api))

describe('an error as an HTML page', () => {
  const problemRule = /is a listed problem/

  it('is accepted for an unknown address that a browser requests', () => {
    expect(faultsOf(createPage('/no-such-address', browser), problemRule)).toEqual([undefined])
  })

  it.each([
    ['a program', '/no-such-address', 'application/json', 404],
    ['a client that sends no Accept', '/no-such-address', undefined, 404],
    ['a client that takes HTML last', '/no-such-address', 'application/json, text/html', 404],
  ])('is a fault for %s', (_who, target, accept, status) => {
    expect(faultsOf(createPage(target, accept, status), problemRule)).toEqual(['the media type text/html'])
  })

  it('is a fault when it shows a path of the server', () => {
    const leak = createPage('/no-such-address', browser, 404, '<p>/home/gatehouse/data</p>')
    expect(faultsOf(leak, /reveals no internals/)).toEqual(['/home/'])
  })
})
