import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { packServerForProjects, runToEnd } from '../../support/processes/packed-server.ts'

const root = resolve(import.meta.dirname, '../../..')

let packed: Awaited<ReturnType<typeof packServerForProjects>>
let project: string

beforeAll(async () => {
  packed = await packServerForProjects()
  project = join(packed.folder, 'My Game')
  packed.install(project)
})
afterAll(() => packed.remove())

const readManifest = (path: string) => JSON.parse(readFileSync(join(project, path), 'utf8'))

describe('the package gatehouse', () => {
  it('depends on the packages of the checkout, by version', () => {
    const { dependencies } = readManifest('node_modules/gatehouse/package.json')
    const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
    for (const [name, version] of Object.entries(dependencies))
      expect([name, version]).toEqual([name, lock.packages[`node_modules/${name}`].version])
    expect(Object.keys(dependencies)).toContain('@sinclair/typebox')
  })

  it('has no path of the machine that packed it', () => {
    const files = readdirSync(join(project, 'node_modules/gatehouse'), { recursive: true, encoding: 'utf8' })
    const withPath = files.filter(
      (name) =>
        /\.(js|json|ts)$/.test(name) && readFileSync(join(project, 'node_modules/gatehouse', name), 'utf8').includes(root),
    )
    expect(withPath).toEqual([])
  })

  it('starts a server in the folder of a project, until SIGTERM', async () => {
    const server = spawn(process.execPath, ['node_modules/gatehouse/bin/gatehouse.js'], {
      cwd: project,
      env: { ...process.env, PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'error' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const { value: line } = await createInterface({ input: server.stdout })[Symbol.asyncIterator]().next()
    const address = /http:\S+/.exec(line)?.[0] ?? line
    expect((await fetch(`${address}/readyz`)).status).toBe(200)
    expect((await fetch(`${address}/console`)).status).toBe(200)
    server.kill('SIGTERM')
    expect(await once(server, 'exit')).toEqual([0, null])
    expect(existsSync(join(project, 'data/config'))).toBe(true)
  })

  it('lists its commands', async () => {
    const { code, output } = await runToEnd(['node_modules/gatehouse/bin/gatehouse.js', 'strat'], project)
    expect([code, output]).toEqual([2, expect.stringContaining('There is no command strat.')])
    expect(output).toContain('  start    starts the server')
  })
})
