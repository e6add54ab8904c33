import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from '@jest/globals'
import { runConformance } from '../../../tools/conformance/run-conformance.ts'
import { findFreePort } from '../../support/processes/free-port.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const run = async (args: readonly string[]) => {
  const printed: string[] = []
  const complained: string[] = []
  const status = await runConformance({
    args,
    env: {},
    readSecret: async () => '',
    print: (text) => void printed.push(text),
    complain: (text) => void complained.push(text),
    interrupted: new AbortController().signal,
    now: () => 0,
    newId: () => 'id',
    newSecret: () => 'secret',
  })
  return { status, printed: printed.join(''), complained: complained.join('') }
}

describe('conformance', () => {
  it('exits with 2 and the usage for invalid arguments', async () => {
    const { status, printed, complained } = await run(['--password', 'top secret'])
    expect({ status, printed }).toEqual({ status: 2, printed: '' })
    expect(complained).toContain('npm run conformance')
    expect(complained).not.toContain('secret')
  })

  it('exits with 2 when no server answers', async () => {
    const url = `http://127.0.0.1:${await findFreePort()}`
    expect(await run(['--url', url])).toEqual({ status: 2, printed: '', complained: `${url}: no answer: ECONNREFUSED\n` })
  })

  it.each([
    ['a server that answers 404', 404, '', 'GET /api/openapi.json answered 404'],
    ['another server', 200, '<p>Hello</p>', 'GET /api/auth/config does not say how to sign in'],
    [
      'a server with another description',
      200,
      '{"provider":"local","requirePassword":true}',
      '/api/openapi.json does not describe a Gatehouse server',
    ],
  ])('exits with 2 for %s', async (_what, code, body, complaint) => {
    const url = await serve((_req, res) => res.writeHead(code).end(body))
    const { status, printed, complained } = await run(['--url', url])
    expect({ status, printed }).toEqual({ status: 2, printed: '' })
    expect(complained).toContain(complaint)
  })
})
