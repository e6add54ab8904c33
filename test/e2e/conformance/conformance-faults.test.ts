import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { runConformance } from '../../../tools/conformance/run-conformance.ts'
import { openTamperingProxy, type Tamper } from '../../support/processes/tampering-proxy.ts'
import { ask } from '../support/api.ts'
import { conformanceFaults } from '../support/conformance-faults.ts'
import { administrator, createStage, type Server } from '../support/stage.ts'

const stage = createStage()
let server: Server
beforeAll(async () => {
  // A line of the log for each refusal would take a tenth of the time.
  server = await stage.start({ DATA_DIR: await stage.createDataDir(), LOG_LEVEL: 'error' })
  await stage.claim(server)
})
afterAll(() => stage.close())

const asAdministrator = ['--email', administrator.email, '--write']

type Run = {
  readonly args?: readonly string[]
  readonly credentials?: readonly string[]
  readonly interrupted?: AbortController
  readonly password?: string
}

/** Runs the suite through a proxy that changes answers. */
const run = async (
  tamper: Tamper | undefined,
  { args = [], credentials = asAdministrator, interrupted, password = administrator.password }: Run = {},
) => {
  const proxy = await openTamperingProxy(server.url, tamper)
  const printed: string[] = []
  const complained: string[] = []
  try {
    const status = await runConformance({
      args: ['--url', proxy.url, ...credentials, ...args],
      env: { GATEHOUSE_PASSWORD: password },
      readSecret: async () => '',
      print: (text) => void printed.push(text),
      complain: (text) => void complained.push(text),
      interrupted: (interrupted ?? new AbortController()).signal,
      now: () => performance.now(),
      newId: randomUUID,
      newSecret: () => 'the secret of a run',
    })
    const report = printed.join('')
    const failed = /\nFailed:\n((?: {2}.*\n)*)/
      .exec(report)?.[1]
      ?.trimEnd()
      .split('\n')
      .map((line) => line.trim())
    return { status, report, complaint: complained.join(''), failed: failed ?? [], seen: proxy.seen() }
  } finally {
    await proxy.close()
  }
}

const json = (text: string): Buffer => Buffer.from(text)
/** Data of the suite that is still on the server. */
const leftOvers = async () => {
  const token = await stage.signIn(server.url, administrator.email, administrator.password)
  const read = async (path: string) => (await ask(server.url, `GET ${path}`, { token })).text
  const paths = ['/api/admin/users?q=conformance', '/api/admin/instances', '/api/admin/configs/skills/spells.yaml']
  return (await Promise.all(paths.map(read))).join('').match(/conformance-\w+/g) ?? []
}

describe('the conformance suite against a faulty server', () => {
  it.each(conformanceFaults)(
    'fails only in the check for the fault: $what',
    async ({ tamper, seenBy, only, isPublic }) => {
      const { status, failed } = await run(tamper, { args: ['--only', only], ...(isPublic && { credentials: [] }) })
      expect({ status, failed }).toEqual({ status: 1, failed: [seenBy] })
      expect(await leftOvers()).toEqual([])
    },
    600_000,
  )
})

describe('the conformance suite', () => {
  it('shows no password and no token', async () => {
    const { report, complaint, seen, status } = await run(
      (asked, answer) => (asked.path === '/auth/renew' && answer.status === 200 ? { ...answer, status: 201 } : answer),
      { args: ['--only', 'tokens'] },
    )
    expect(status).toBe(1)
    const bodies = seen.map(({ asked, answer }) => asked.body + answer.body.toString('utf8'))
    const tokens = bodies.flatMap((body) =>
      [...body.matchAll(/"token":"([0-9a-f-]{36}|ght_[\w-]{43})"/g)].map(([, token]) => token ?? ''),
    )
    expect(tokens.length).toBeGreaterThan(3)
    for (const secret of [...tokens, administrator.password, 'the secret of a run'])
      expect(report + complaint).not.toContain(secret)
    expect(report).toContain('[hidden]')
  }, 600_000)

  it.each([
    ['/api/admin/users', 'accounts: '],
    ['/api/admin/configs/', 'saved configs: '],
    ['/api/admin/instances', 'zones: '],
  ])(
    'deletes everything when it is interrupted while it writes %s',
    async (path, only) => {
      const interrupted = new AbortController()
      const { status, report } = await run(
        (asked, answer) => {
          if (['POST', 'PUT'].includes(asked.method) && asked.path.startsWith(path) && answer.status < 300) interrupted.abort()
          return answer
        },
        { interrupted, args: ['--only', only] },
      )
      expect({ status, aborted: interrupted.signal.aborted }).toEqual({ status: 1, aborted: true })
      expect(report).toContain('(skipped: interrupted)')
      expect(report).toMatch(/\d+ passed, 0 failed, \d+ skipped\n$/)
      expect(await leftOvers()).toEqual([])
    },
    600_000,
  )

  it('waits for the delay of a 429, and continues', async () => {
    let refused = false
    const { status, complaint } = await run(
      (asked, answer) => {
        if (asked.path !== '/metrics' || refused) return answer
        refused = true
        const body = json('{"type":"/problems/too-many-requests","title":"T","status":429,"detail":"D","instance":"/metrics"}')
        return { ...answer, status: 429, headers: { ...answer.headers, 'retry-after': '1' }, body }
      },
      { args: ['--only', 'metrics'] },
    )
    expect({ status, complaint }).toEqual({ status: 0, complaint: 'waiting 1 s, as the server requires\n' })
  }, 600_000)

  it('lists leftovers that it could not delete', async () => {
    const { report, status } = await run(
      (asked, answer) =>
        asked.method === 'DELETE' && asked.path.includes('conformance') && answer.status === 204
          ? { ...answer, status: 500 }
          : answer,
      { args: ['--only', 'tokens: are version'] },
    )
    expect(status).toBe(0)
    expect(report).toMatch(/Left behind:\n {2}the account conformance-\w+@example\.com: /)
  }, 600_000)

  it('does not start with a wrong password', async () => {
    const { status, report, complaint } = await run(undefined, { password: 'not the password' })
    expect({ status, report }).toEqual({ status: 2, report: '' })
    expect(complaint).toMatch(/not the credentials of an administrator: 403 Password sign-in needed/)
    expect(complaint).not.toContain('not the password')
  })
})
