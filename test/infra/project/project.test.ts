import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { packServerForProjects, runToEnd } from '../../support/processes/packed-server.ts'

const root = resolve(import.meta.dirname, '../../..')
const creator = join(root, 'packages/create-gatehouse/create.js')

let packed: Awaited<ReturnType<typeof packServerForProjects>>
let project: string

beforeAll(async () => {
  packed = await packServerForProjects()
  project = join(packed.folder, 'My Game')
  const { code, output } = await runToEnd([creator, project, '--server', packed.tarball, '--no-install'], packed.folder)
  expect([code, output]).toEqual([0, expect.stringContaining('The project is ready')])
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

  it('reloads modules when a file changes, and shows the place of a fault', async () => {
    const server = spawn(process.execPath, ['node_modules/gatehouse/bin/gatehouse.js', 'dev'], {
      cwd: project,
      env: { ...process.env, PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'silent' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]()
    const lineThat = async (begin: string): Promise<string> => {
      for (let line = await lines.next(); !line.done; line = await lines.next())
        if (line.value.startsWith(begin)) return line.value
      throw new Error(`the server ended without a line "${begin}"`)
    }
    await lineThat('Modules are reloaded')
    const path = join(project, 'modules/hello.ts')
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, `${text}\n`)
    expect(await lineThat('Reloaded')).toMatch(/^Reloaded hello in \d+ ms\.$/)
    writeFileSync(path, `${text}const = 1\n`)
    expect(await lineThat('Not loaded')).toBe('Not loaded, the version before still runs:')
    expect(await lineThat('hello.ts:')).toBe('hello.ts:8:7: Expected identifier but found "="')
    writeFileSync(path, text)
    server.kill('SIGTERM')
    await once(server, 'exit')
  })

  it('lists its commands', async () => {
    const { code, output } = await runToEnd(['node_modules/gatehouse/bin/gatehouse.js', 'strat'], project)
    expect([code, output]).toEqual([2, expect.stringContaining('There is no command strat.')])
    expect(output).toContain('  start    starts the server')
  })
})

describe('create-gatehouse', () => {
  it('makes a project that depends on the server, named after its folder', () => {
    expect(readManifest('package.json')).toMatchObject({
      name: 'my-game',
      dependencies: { gatehouse: 'file:gatehouse-0.2.0.tgz' },
    })
    expect(readdirSync(project)).toEqual(
      expect.arrayContaining(['.dockerignore', '.gitignore', 'Dockerfile', 'README.md', 'modules', 'test']),
    )
  })

  it('has the versions of the checkout', () => {
    const checkout = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const { dependencies, devDependencies } = readManifest('package.json')
    const { gatehouse: _, ...others } = { ...dependencies, ...devDependencies }
    const all = { ...checkout.dependencies, ...checkout.devDependencies }
    expect(others).toEqual(Object.fromEntries(Object.keys(others).map((name) => [name, all[name]])))
    const creatorManifest = JSON.parse(readFileSync(join(root, 'packages/create-gatehouse/package.json'), 'utf8'))
    expect(creatorManifest.version).toBe(checkout.version)
  })

  it('refuses a folder with files', async () => {
    const { code, output } = await runToEnd([creator, project, '--no-install'], packed.folder)
    expect([code, output]).toEqual([2, `${project} is not empty. Name a new folder.\n`])
  })

  it('makes a module whose types are right, and finds a wrong one', async () => {
    const check = () => runToEnd([join(root, 'node_modules/typescript/bin/tsc')], project)
    expect(await check()).toEqual({ code: 0, output: '' })
    const path = join(project, 'modules/hello.ts')
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.replace('player.name', 'player.nme'))
    expect((await check()).output).toContain("Property 'nme' does not exist")
    writeFileSync(path, text)
  })

  it('has a module that passes its test, in the real game loop', async () => {
    const { code, output } = await runToEnd(['node_modules/gatehouse/bin/gatehouse.js', 'test'], project)
    expect([code, output]).toEqual([0, expect.stringContaining('greets players who join')])
  })

  it('runs the files of the guide, whose types are right', async () => {
    const guide = readFileSync(join(root, 'docs/modules.md'), 'utf8')
    const files = [...guide.matchAll(/```ts\n\/\/ ((?:modules|test)\/[\w.-]+)\n([\s\S]*?)```/g)]
    expect(files.map(([, path]) => path)).toEqual(
      ['homes', 'greeter', 'spawn', 'shop', 'bell', 'guestbook'].flatMap((name) => [
        `modules/${name}.ts`,
        `test/${name}.test.ts`,
      ]),
    )
    for (const [, path = '', text = ''] of files) writeFileSync(join(project, path), text)
    expect(await runToEnd([join(root, 'node_modules/typescript/bin/tsc')], project)).toEqual({ code: 0, output: '' })
    const { code, output } = await runToEnd(['node_modules/gatehouse/bin/gatehouse.js', 'test'], project)
    expect([code, output]).toEqual([0, expect.stringMatching(/pass 7/)])
  })
})
