import { execFileSync } from 'node:child_process'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { commandNeed } from '../../support/needs/command.ts'
import { itWhere } from '../../support/needs/guard.ts'
import { findFreePort } from '../../support/processes/free-port.ts'
import { committedNames, copyCommittedDataFolder } from '../../support/storage/committed-data-folder.ts'
import { ask } from '../support/api.ts'
import { createStage, type Server } from '../support/stage.ts'

const stage = createStage()
let dataDir: string
let server: Server
let metricsPort: number
beforeAll(async () => {
  dataDir = await stage.createEmptyDir()
  await copyCommittedDataFolder(dataDir)
  metricsPort = await findFreePort()
  server = await stage.start({ DATA_DIR: dataDir, METRICS_PORT: String(metricsPort) })
  await server.shows('curl')
})
afterAll(() => stage.close())

/** Sends the request of a printed curl command. */
const runCurl = async (line: string) => {
  const parts = /curl -X POST (\S+) -H '([^:]+): ([^']+)' -d '([^']+)'/.exec(line)
  if (parts === null) throw new Error(`no line of curl: ${line}`)
  const [, url = '', name = '', value = '', body = ''] = parts
  const response = await fetch(url, { method: 'POST', headers: { [name]: value }, body })
  return { status: response.status, body: (await response.json()) as Record<string, string> }
}

describe('the first start with the data folder of the repository and no other service', () => {
  it('prints the addresses, the claim link, the curl command, and settings for a public server', () => {
    const output = server.stdout()
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d+$/)
    for (const address of [
      `${server.url}/play`,
      `${server.url}/api/docs`,
      `${server.url.replace('http', 'ws')}/realtime`,
      `http://127.0.0.1:${metricsPort}/metrics`,
      `${server.url}/claim#`,
      `curl -X POST ${server.url}/auth/claim`,
      'requirePassword: true',
    ])
      expect(output).toContain(address)
    expect(server.stderr()).toBe('')
  })

  itWhere(commandNeed('git'))('leaves git status clean', async () => {
    const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: dataDir, encoding: 'utf8' })
    expect((await readdir(dataDir)).length).toBeGreaterThan(committedNames.length)
    git('init', '--quiet')
    expect(git('status', '--porcelain', '--untracked-files=all').trim().split('\n')).toEqual(
      committedNames.map((name) => `?? ${name}`),
    )
    await rm(join(dataDir, '.git'), { recursive: true })
  })

  it.each([
    ['/healthz', 'application/json'],
    ['/readyz', 'application/json'],
    ['/api/openapi.json', 'application/json'],
    ['/api/docs', 'text/html'],
    ['/play', 'text/html'],
    ['/claim', 'text/html'],
  ])('returns 200 at %s', async (path, type) => {
    const answer = await ask(server.url, `GET ${path}`)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, expect.stringContaining(type)])
  })

  it('serves metrics on their own port only', async () => {
    const metrics = await ask(`http://127.0.0.1:${metricsPort}`, 'GET /metrics')
    expect([metrics.status, metrics.text]).toEqual([200, expect.stringContaining('process_cpu_seconds_total')])
    expect((await ask(server.url, 'GET /metrics')).status).toBe(404)
    expect((await ask(`http://127.0.0.1:${metricsPort}`, 'GET /healthz')).status).toBe(404)
  })

  it('claims the administrator account by the curl command once, and prints none after a restart', async () => {
    const line = server.stdout().match(/curl .*/)?.[0] ?? ''
    const claimed = await runCurl(line)
    expect(claimed).toMatchObject({ status: 200, body: { token: expect.any(String), displayName: 'you' } })
    expect((await ask(server.url, 'GET /api/admin/users', { token: claimed.body.token })).status).toBe(200)

    expect(await runCurl(line)).toMatchObject({ status: 409, body: { type: '/problems/already-claimed' } })
    expect((await ask(server.url, 'GET /api/admin/users', { token: claimed.body.token })).body.users).toHaveLength(1)

    const listGroups = async (url: string, token: string | undefined) => {
      const { groups } = (await ask(url, 'GET /api/admin/groups', { token })).body as { groups: { name: string }[] }
      return groups.map(({ name }) => name)
    }
    expect(await listGroups(server.url, claimed.body.token)).toEqual(['admin', 'player', 'builder', 'moderator'])

    server.signal('SIGTERM')
    expect(await server.ended).toBe(0)
    // A deleted file stays deleted: a used folder falls back to the bundled default.
    await rm(join(dataDir, 'config', 'groups.yaml'))
    const again = await stage.start({ DATA_DIR: dataDir })
    const token = await stage.signIn(again.url, 'you@example.com', 'at least 8 bytes')
    expect((await ask(again.url, 'GET /api/admin/users', { token })).status).toBe(200)
    expect(await listGroups(again.url, token)).toEqual(['admin'])
    again.signal('SIGTERM')
    expect(await again.ended).toBe(0)
    expect(again.stdout()).not.toMatch(/claim/i)
  })
})
