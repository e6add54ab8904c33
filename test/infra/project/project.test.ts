import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { parseEnvironment } from '../../../shared/platform/process/environment.ts'
import { describeAddresses } from '../../../shared/services/tell-start.ts'
import { parseStages, readExecForm } from '../../support/containers/dockerfile.ts'
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

  it('has pages whose links lead to pages of the package', () => {
    const docs = join(project, 'node_modules/gatehouse/docs')
    const pages = readdirSync(docs)
    expect(pages).toEqual(expect.arrayContaining(['modules.md', 'client.md', 'containers.md', 'metrics.md']))
    const found = pages.flatMap((page) => {
      const text = readFileSync(join(docs, page), 'utf8').replaceAll(/^```[\s\S]*?^```$/gm, '')
      return Array.from(text.matchAll(/\]\(([^)\s]+)\)/g), ([, target = '']) => ({ page, target }))
    })
    const local = found.filter(({ target }) => !/^[a-z]+:/.test(target))
    expect(local.length).toBeGreaterThan(3)
    const isBroken = ({ page, target }: { readonly page: string; readonly target: string }) =>
      !existsSync(join(docs, target.split('#')[0] || page))
    expect(local.filter(isBroken)).toEqual([])
  })

  it('has the client library where the guide copies it from', () => {
    const guide = readFileSync(join(root, 'docs/modules.md'), 'utf8')
    const [, path = ''] = /^cp (node_modules\/\S+\.tgz) \.$/m.exec(guide) ?? []
    execFileSync('tar', ['xzf', join(project, path), '-C', packed.folder])
    expect(JSON.parse(readFileSync(join(packed.folder, 'package/package.json'), 'utf8')).name).toBe('gatehouse-client')
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

  /** `npm run dev`, and its next line that begins with a text. */
  const startDev = () => {
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
    return { server, lineThat }
  }

  it('reloads modules when a file changes, and shows the place of a fault', async () => {
    const { server, lineThat } = startDev()
    expect(await lineThat('Modules: ')).toBe('Modules: hello.')
    await lineThat('Modules are reloaded')
    const path = join(project, 'modules/hello.ts')
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.replace('Hello', 'Welcome'))
    expect(await lineThat('Reloaded')).toMatch(/^Reloaded hello in \d+ ms\.$/)
    writeFileSync(path, `${text}const = 1\n`)
    expect(await lineThat('Not loaded')).toBe('Not loaded: hello. The version before still runs.')
    expect(await lineThat('  hello.ts:')).toBe('  hello.ts:8:7: Expected identifier but found "="')
    writeFileSync(path, text)
    await lineThat('Reloaded hello')
    const extra = join(project, 'modules/extra.ts')
    writeFileSync(extra, text.replace("'hello'", "'extra'"))
    await lineThat('Reloaded extra')
    const withData = (type: string) => `import { Type } from '@sinclair/typebox'
import { defineModule } from 'gatehouse/module'
export default defineModule({ name: 'extra', api: 1, declare: { player: { schema: Type.Object({ coins: ${type} }) } } })
`
    writeFileSync(extra, withData('Type.Integer({ default: 0 })'))
    await lineThat('Reloaded extra')
    writeFileSync(extra, withData("Type.String({ default: '' })"))
    await lineThat('The new version would lose:')
    expect(await lineThat('Nothing was')).toBe(
      'Nothing was reloaded. To load a module anyway, enter /module reload NAME --yes in the game.',
    )
    rmSync(extra)
    expect(await lineThat('Removed')).toBe('Removed extra. The stored data stays.')
    writeFileSync(path, text.replace(/on: .*/, "on: { start: () => { throw new Error('boom') } },"))
    expect(await lineThat('Fault in')).toMatch(/^Fault in the module hello: on\.start failed \(\w+\)\.$/)
    expect(await lineThat('  hello.ts:')).toMatch(/^ {2}hello\.ts:6:\d+: boom$/)
    writeFileSync(path, text)
    await lineThat('Reloaded hello')
    const config = join(project, 'data/config/modules.yaml')
    writeFileSync(config, 'modules:\n  hello: {settings: {gift: 3}}\n')
    expect(await lineThat('Bad settings')).toBe('Bad settings in modules.yaml: the module hello keeps its settings.')
    expect(await lineThat('  line 2')).toBe('  line 2, column 22: /modules/hello/settings/gift is not a setting of this module')
    writeFileSync(config, 'modules:\n  hello: {enabled: false}\n')
    expect(await lineThat('Reloaded')).toBe('Reloaded: modules.yaml')
    rmSync(config)
    server.kill('SIGTERM')
    await once(server, 'exit')
  })

  it('starts the server again when a file changes after it ended', async () => {
    const { server, lineThat } = startDev()
    await lineThat('Modules are reloaded')
    const path = join(project, 'modules/ends.ts')
    writeFileSync(path, "import process from 'node:process'\nprocess.exit(3)\n")
    expect(await lineThat('The server has ended')).toBe('The server has ended (exit code 3). The lines above say why.')
    expect(await lineThat('It starts again')).toMatch(/when a file changes in .*modules.*\. Ctrl\+C ends\.$/)
    rmSync(path)
    await lineThat('A file has changed. The server starts again.')
    expect(await lineThat('Modules: ')).toBe('Modules: hello.')
    await lineThat('Modules are reloaded')
    server.kill('SIGTERM')
    expect(await once(server, 'exit')).toEqual([0, null])
  })

  it('lists its commands', async () => {
    const { code, output } = await runToEnd(['node_modules/gatehouse/bin/gatehouse.js', 'strat'], project)
    expect([code, output]).toEqual([2, expect.stringContaining('There is no command strat.')])
    expect(output).toContain('  start    starts the server')
  })
})

/** The Dockerfile as a build on this machine follows it, in `app`. Packages come from the checkout. Returns the command to start. */
const followDockerfile = (app: string, dataDir: string) => {
  const ignored = readFileSync(join(project, '.dockerignore'), 'utf8').trim().split('\n')
  const [image] = parseStages(readFileSync(join(project, 'Dockerfile'), 'utf8'))
  const env: Record<string, string> = {}
  let command: readonly string[] = []
  for (const instruction of image?.instructions ?? []) {
    const content = instruction.getArgumentsContent() ?? ''
    const words = content.split(/\s+/)
    const keyword = instruction.getKeyword()
    if (keyword === 'COPY') {
      const patterns = words.slice(0, -1).map((word) => new RegExp(`^${word.replaceAll('.', '\\.').replaceAll('*', '.*')}$`))
      const found = readdirSync(project).filter(
        (name) => !ignored.includes(name) && patterns.some((pattern) => pattern.test(name)),
      )
      // `npm install` has made package-lock.json in a real project.
      const listed = [...found, ...(words.includes('package-lock.json') ? ['package-lock.json'] : [])]
      for (const pattern of patterns) expect([pattern, listed.some((name) => pattern.test(name))]).toEqual([pattern, true])
      for (const name of found)
        cpSync(join(project, name), join(app, words.at(-1) ?? '', found.length > 1 ? name : ''), { recursive: true })
    } else if (keyword === 'RUN')
      for (const step of content.split(' && ')) {
        if (step.startsWith('npm ci')) packed.install(app)
        else if (!step.startsWith('chown')) execFileSync('sh', ['-c', step.replace('/data', dataDir)], { cwd: app })
      }
    else if (keyword === 'ENV')
      for (const word of words) env[word.slice(0, word.indexOf('='))] = word.slice(word.indexOf('=') + 1)
    else if (keyword === 'CMD') command = readExecForm(instruction)
  }
  return { env, command }
}

describe('create-gatehouse', () => {
  it('builds an image of a server with passwords from its Dockerfile', async () => {
    const app = join(packed.folder, 'app')
    mkdirSync(app)
    writeFileSync(join(project, 'gatehouse-0.2.0.tgz'), '')
    const { env, command } = followDockerfile(app, join(packed.folder, 'image-data'))
    expect(readdirSync(app)).toEqual(expect.arrayContaining(['gatehouse-0.2.0.tgz', 'modules', 'package.json']))
    expect(readdirSync(join(app, 'modules'))).toEqual(readdirSync(join(project, 'modules')))
    // npm links the program that the package declares.
    expect(command).toEqual(['node_modules/.bin/gatehouse'])
    const program = JSON.parse(readFileSync(join(app, 'node_modules/gatehouse/package.json'), 'utf8')).bin.gatehouse
    const server = spawn(join(app, 'node_modules/gatehouse', program), {
      cwd: app,
      env: { PATH: process.env.PATH, ...env, PORT: '0', HOST: '127.0.0.1', DATA_DIR: join(packed.folder, 'image-data') },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let printed = ''
    for await (const line of createInterface({ input: server.stdout })) {
      printed += `${line}\n`
      if (printed.includes('Gatehouse is ready')) break
    }
    const address = /ready at (\S+?)"?\}?$/m.exec(printed)?.[1]
    expect(await (await fetch(`${address}/api/auth/config`)).json()).toMatchObject({ requirePassword: true })
    server.kill('SIGTERM')
    await once(server, 'exit')
  })

  it('has each npm script that the start of the server names', async () => {
    const named = describeAddresses(parseEnvironment({ DATA_DIR: 'data' }, 'all'), {
      provider: 'local',
      local: { requirePassword: true },
    })
    const scripts = [...named.matchAll(/npm run (\S+)/g)].map(([, script]) => script)
    expect(scripts).toEqual(['play'])
    for (const script of scripts) expect(Object.keys(readManifest('package.json').scripts)).toContain(script)
    const { code, output } = await runToEnd(['node_modules/gatehouse/bin/gatehouse.js', 'play', '--help'], project)
    expect([code, output]).toEqual([expect.any(Number), expect.stringContaining('Usage: npm run play')])
  })

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

  it('writes nothing without the file of the server, and for an unknown option', async () => {
    const other = join(packed.folder, 'other')
    const { code, output } = await runToEnd([creator, other, '--server', '/nope.tgz'], packed.folder)
    expect([code, output, existsSync(other)]).toEqual([2, 'There is no file /nope.tgz.\n', false])
    const unknown = await runToEnd([creator, other, '--sever', '/nope.tgz'], packed.folder)
    expect([unknown.code, unknown.output, existsSync(other)]).toEqual([2, expect.stringContaining('Use: npm create'), false])
    expect(unknown.output).not.toContain('    at ')
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

  it('runs tests by name, and refuses a file or an option that does not exist', async () => {
    const run = (...args: string[]) => runToEnd(['node_modules/gatehouse/bin/gatehouse.js', 'test', ...args], project)
    const none = await run('test/hello.test.ts', '--test-name-pattern=nobody')
    expect(none).toEqual({ code: 0, output: expect.stringMatching(/skipped 1/) })
    expect(await run('--help')).toEqual({ code: 0, output: expect.stringMatching(/^Usage: npm test/) })
    expect(await run('test/none.test.ts')).toEqual({
      code: 2,
      output: expect.stringContaining('There is no file test/none.test.ts.'),
    })
    expect(await run('--watch')).toEqual({ code: 2, output: expect.stringContaining('There is no option --watch.') })
  })

  it('ends after a test that fails while its game runs', async () => {
    const path = join(project, 'test/hello.test.ts')
    const text = readFileSync(path, 'utf8')
    const [, started = ''] = /(.*startTestGame\([\s\S]*?\n)/.exec(text) ?? []
    writeFileSync(path, text.replace(started, `${started}  throw new Error('fails on purpose')\n`))
    const { code, output } = await runToEnd(['node_modules/gatehouse/bin/gatehouse.js', 'test'], project)
    expect([code, output]).toEqual([1, expect.stringContaining('fails on purpose')])
    writeFileSync(path, text)
  })

  it('names its sources without the path of the checkout', () => {
    const dist = join(project, 'node_modules/gatehouse/dist')
    const maps = readdirSync(dist).filter((name) => name.endsWith('.map'))
    const sources = maps.flatMap((name) => JSON.parse(readFileSync(join(dist, name), 'utf8')).sources)
    expect(sources).toContain('../infra/module-testing/test-player.ts')
    expect(sources.filter((source) => !/^\.\.\/[\w@]/.test(source))).toEqual([])
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
    // Half an hour off: a schedule at full hours would not run by the zone of the machine.
    const zone = { TZ: 'Asia/Kolkata' }
    const { code, output } = await runToEnd(['node_modules/gatehouse/bin/gatehouse.js', 'test'], project, zone)
    expect([code, output]).toEqual([0, expect.stringMatching(/pass 7/)])
  })
})
