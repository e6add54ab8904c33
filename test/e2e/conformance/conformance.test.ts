import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { ask } from '../support/api.ts'
import { administrator, createStage, type Server } from '../support/stage.ts'

const stage = createStage()
let server: Server
beforeAll(async () => {
  // A line of the log for each refusal would take a tenth of the time.
  server = await stage.start({ DATA_DIR: await stage.createDataDir(), LOG_LEVEL: 'error' })
  await stage.claim(server)
})
afterAll(() => stage.close())

const run = async (args: readonly string[], input?: string) => {
  const child = stage.launch('tools/conformance.ts', ['--url', server.url, ...args], {})
  child.endInput(input)
  const status = await child.ended
  return { status, stdout: child.stdout(), stderr: child.stderr() }
}

const asAdministrator = ['--email', administrator.email, '--password', '-']

/** Data that the suite could have changed, without land, and without last-seen times, which change on each request. */
const look = async () => {
  const token = await stage.signIn(server.url, administrator.email, administrator.password)
  const read = async (path: string) =>
    (await ask(server.url, `GET ${path}`, { token })).text.replace(/,"lastSeenAt":"[^"]*"|,"(?:chunkCount|sizeBytes)":\d+/g, '')
  const paths = ['/api/admin/users', '/api/admin/instances', '/api/admin/worlds', '/api/admin/configs/skills/spells.yaml']
  return Promise.all(paths.map(read))
}

describe('the conformance suite against npm start', () => {
  // All other checks that only read are also part of the run with write access.
  it('passes as an administrator with read access, and changes nothing', async () => {
    const before = await look()
    const { status, stdout } = await run([...asAdministrator, '--only', 'saved configs'], `${administrator.password}\n`)
    expect({ status, failed: stdout.match(/^ {2}✗.*/gm) }).toEqual({ status: 0, failed: null })
    expect(stdout).toContain('(skipped: needs --write)')
    expect(stdout).not.toContain('Left behind')
    expect(await look()).toEqual(before)
  }, 180_000)

  it('passes as an administrator with write access, cleans up, and skips only absent features', async () => {
    const before = await look()
    const { status, stdout, stderr } = await run([...asAdministrator, '--write'], `${administrator.password}\n`)
    expect({ status, stderr, failed: stdout.match(/^ {2}✗.*/gm) }).toEqual({ status: 0, stderr: '', failed: null })
    const reasons = new Set([...stdout.matchAll(/\(skipped: (.*)\)$/gm)].map(([, reason]) => reason))
    expect([...reasons].sort()).toEqual([
      'any email gets an account here',
      'creates a world, which stays: needs --write=worlds',
      'only refusals occurred, and they match the description',
      'sign-in does not use OAuth here',
      'sign-in uses email and password here',
      'this server does not require passwords',
    ])
    expect(await look()).toEqual(before)
    expect(stdout).not.toContain(administrator.password)
  }, 180_000)

  it('cleans up after Ctrl-C, which comes twice under npm', async () => {
    const before = await look()
    const child = stage.launch('tools/conformance.ts', ['--url', server.url, ...asAdministrator, '--write'], {})
    child.endInput(`${administrator.password}\n`)
    await child.shows('\nMethods\n')
    child.signal('SIGINT')
    child.signal('SIGINT')
    expect(await child.ended).toBe(1)
    expect(child.stdout()).toMatch(/\(skipped: interrupted\)\n.*\n\d+ passed, 0 failed, \d+ skipped\n$/s)
    expect(await look()).toEqual(before)
  }, 180_000)
})
