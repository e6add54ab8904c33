import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Variables } from '../support/child.ts'
import { createStage, quickConfig } from '../support/stage.ts'

const stage = createStage()
afterAll(() => stage.close())

type Start = { readonly script?: string; readonly variables?: Variables; readonly server?: string; readonly groups?: string }

/** Starts a server that must refuse to start; returns its standard error. */
const refuse = async ({ script = 'infra/local.ts', variables = {}, server = quickConfig, groups }: Start): Promise<string> => {
  const dataDir = await stage.createDataDir(server)
  if (groups !== undefined) await writeFile(join(dataDir, 'config', 'groups.yaml'), groups)
  const child = stage.launch(script, [], { DATA_DIR: dataDir, PORT: '0', ...variables })
  expect([await child.ended, child.stdout()]).toEqual([1, expect.not.stringContaining('is ready')])
  expect(child.stderr()).toMatch(/^Gatehouse cannot start\. /)
  // Without a stack trace and without warnings of Node.
  expect(child.stderr()).not.toMatch(/^ {4}at |node:internal|Warning/m)
  return child.stderr()
}

describe('the start is refused with exit code 1 and a message that names the fix', () => {
  // In parallel: each is a separate process that spends most of its time loading.
  const cases: Record<string, Start> = {
    reachable: { variables: { HOST: '0.0.0.0' } },
    'http without Redis': { script: 'infra/http.ts' },
    'realtime without Redis': { script: 'realtime/main.ts' },
    wildcard: { server: 'http: { allowedOrigins: ["https://*.example.org"] }\n' },
    'broken server.yaml': { server: 'auth:\n  local:\n    requirePassword: maybe\n    bcryptCost: 3\nhttpp: {}\n' },
    'broken groups.yaml': { groups: 'groups:\n  - name: a\n    inherits: [b]\n    permissions: [x\n' },
    'bad environment': {
      variables: {
        PORT: 'http',
        LOG_LEVEL: 'loud',
        METRICS_PORT: '70000',
        BASE_URL: 'example.org',
        REDIS_URL: 'redis.example.org',
      },
    },
  }
  const said = new Map<string, string>()
  beforeAll(async () => {
    await Promise.all(Object.entries(cases).map(async ([name, start]) => said.set(name, await refuse(start))))
  }, 180_000)

  it.each([
    ['passwordless sign-in that others can reach', 'reachable', ['requirePassword', 'ALLOW_PASSWORDLESS=true', 'HOST']],
    ['the HTTP process without Redis', 'http without Redis', ['REDIS_URL', 'npm start']],
    ['the real-time process without Redis', 'realtime without Redis', ['REDIS_URL', 'npm start']],
    ['a wildcard origin', 'wildcard', ['/http/allowedOrigins', 'list each origin exactly']],
    [
      'a broken server.yaml, every fault with its line',
      'broken server.yaml',
      ['server.yaml:3:', 'server.yaml:4:', 'server.yaml:5:'],
    ],
    ['an invalid groups.yaml, with the line', 'broken groups.yaml', [/groups\.yaml:[345]:\d+/]],
    [
      'a bad environment, with every fault',
      'bad environment',
      ['PORT: ', 'LOG_LEVEL: ', 'METRICS_PORT: ', 'BASE_URL: ', 'REDIS_URL: '],
    ],
  ])('%s', (_what, name, parts) => {
    for (const part of parts)
      expect(said.get(name)).toEqual(typeof part === 'string' ? expect.stringContaining(part) : expect.stringMatching(part))
  })

  it.each([
    ['infra/local.ts', [], 1],
    ['infra/http.ts', [], 1],
    ['realtime/main.ts', [], 1],
    ['tools/adduser.ts', ['ann@example.com', 'password of ann'], 2],
    ['tools/world.ts', ['list'], 2],
    ['tools/migrate.ts', ['--from', 'embedded', '--to', 'dynamodb', '--dry-run'], 2],
  ])('a DATA_DIR that is a file, of %s, in one line with path, reason and fix', async (script, args, code) => {
    const path = join(await stage.createEmptyDir(), 'file')
    await writeFile(path, '')
    const child = stage.launch(script, args, { DATA_DIR: path, PORT: '0', REDIS_URL: 'redis://127.0.0.1:1' })
    expect([await child.ended, child.stdout()]).toEqual([code, ''])
    expect(child.stderr()).toContain(`The data folder ${path} (DATA_DIR) cannot be used: it is a file. Set DATA_DIR to a folder.`)
    expect(child.stderr().trim().split('\n')).toHaveLength(1)
  })

  it('a DATA_DIR whose config is a file, with path, reason and fix, at a first start', async () => {
    const path = await stage.createEmptyDir()
    await writeFile(join(path, 'config'), '')
    const child = stage.launch('infra/local.ts', [], { DATA_DIR: path, PORT: '0' })
    expect([await child.ended, child.stdout()]).toEqual([1, ''])
    expect(child.stderr()).toContain(`The folder ${join(path, 'config')} (in DATA_DIR) cannot be used: it is a file.`)
    expect(child.stderr().trim().split('\n')).toHaveLength(1)
  })

  it('a port in use, also for metrics; passwordless sign-in starts when it is allowed by name', async () => {
    const open = { HOST: '0.0.0.0', ALLOW_PASSWORDLESS: 'true' }
    const server = await stage.start({ DATA_DIR: await stage.createDataDir(), ...open })
    await server.shows('without a password')
    const { port } = new URL(server.url)
    const [main, metrics] = await Promise.all([
      refuse({ variables: { ...open, PORT: port } }),
      refuse({ variables: { METRICS_HOST: '0.0.0.0', METRICS_PORT: port } }),
    ])
    expect(main).toContain('set PORT to a free port')
    expect(metrics).toContain('METRICS_PORT')
    expect(server.isRunning()).toBe(true)
  })
})
