import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { transform } from 'esbuild'
import { createTempDir } from '../support/processes/temp-dir.ts'
import { waitFor } from '../support/time/wait-for.ts'

const root = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)

/** A project with one entry point, which prints its arguments and the text of the bundle of its thread. */
const sources: Readonly<Record<string, string>> = {
  'package.json': '{ "type": "module" }',
  'infra/hello.ts': `import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { greeting } from './greeting.ts'
const run = async () => {
  const [word] = await once(new Worker(new URL('./password-worker.js', import.meta.url)), 'message')
  console.log(greeting satisfies string, word, process.argv[1], ...process.argv.slice(2))
}
export const main = run()`,
  'infra/greeting.ts': `export const greeting: string = 'hello'`,
  'shared/domain/passwords/password-worker.ts': `import { parentPort } from 'node:worker_threads'
parentPort?.postMessage('thread' satisfies string)
export const word = 'thread'`,
  'shared/domain/accounts/store/users-file/users-document-worker.ts': 'export const read = 1',
  'shared/domain/configs/reading/parse-config-worker.ts': 'export const check = 1',
  'shared/domain/worlds/map/tile-worker.ts': 'export const draw = 1',
  'shared/domain/backups/lmdb/copy-process.ts': 'export const copy = 1',
  'realtime/workers/generation-worker.ts': 'export const generate = 1',
}

/** Longer than `unsettledMs` of the launcher. */
const settledMs = 3500

let dir: Awaited<ReturnType<typeof createTempDir>>
let writtenMs = 0
beforeEach(async () => {
  dir = await createTempDir()
  for (const [name, text] of Object.entries(sources)) {
    await mkdir(join(dir.path, dirname(name)), { recursive: true })
    await writeFile(join(dir.path, name), text)
  }
  for (const name of ['infra/launch.js', 'infra/launch']) await cp(join(root, name), join(dir.path, name), { recursive: true })
  await mkdir(join(dir.path, 'node_modules'))
  for (const name of ['esbuild', '@esbuild'])
    await symlink(join(root, 'node_modules', name), join(dir.path, 'node_modules', name), 'dir')
  writtenMs = Date.now()
})
afterEach(() => dir.remove())

const launch = (...args: readonly string[]) => run(process.execPath, [join(dir.path, 'infra/launch.js'), ...args])
const listBundles = async (folder = '.build') => (await readdir(join(dir.path, folder))).filter((name) => name !== 'made')
const greet = (word: string) => writeFile(join(dir.path, 'infra/greeting.ts'), `export const greeting: string = '${word}'`)

const record = () => join(dir.path, '.build/made/infra-hello.ts.json')

/** Starts when the sources are old enough that later starts can rely on their modification times. */
const startAndRemember = async (entry = 'infra/hello.ts') => {
  await waitFor(() => Date.now() - writtenMs > settledMs, undefined, 100)
  await launch(entry)
  expect(existsSync(record())).toBe(true)
}

/** Makes the record name a bundle that no bundler produces. */
const forgeBundle = async () => {
  await mkdir(join(dir.path, '.build/forged'), { recursive: true })
  await writeFile(join(dir.path, '.build/forged/hello.cjs'), `console.log('forged')`)
  const made: object = JSON.parse(await readFile(record(), 'utf8'))
  await writeFile(record(), JSON.stringify({ ...made, name: 'forged' }))
}

describe('infra/launch.js', () => {
  it('runs a TypeScript entry point with its arguments and bundles its threads', async () => {
    const { stdout } = await launch('infra/hello.ts', 'a', '--b')
    expect(stdout).toBe(`hello thread ${join(dir.path, 'infra/hello.ts')} a --b\n`)
  })

  it('creates one bundle for concurrent starts, and another when the source changes', async () => {
    const shown = await Promise.all(Array.from({ length: 4 }, () => launch('infra/hello.ts')))
    expect(new Set(shown.map(({ stdout }) => stdout)).size).toBe(1)
    expect(await listBundles()).toHaveLength(1)
    await greet('changed')
    expect((await launch('infra/hello.ts')).stdout).toContain('changed')
    expect(await listBundles()).toHaveLength(2)
  })

  it('removes bundles older than a month, except the latest ones, which a server may still run', async () => {
    await launch('infra/hello.ts')
    const [running = ''] = await listBundles()
    const build = join(dir.path, '.build')
    const age = async (name: string, days: number): Promise<void> => {
      const madeAt = new Date(Date.now() - days * 24 * 3600 * 1000)
      await utimes(join(build, name), madeAt, madeAt)
    }
    await age(running, 31)
    const change = async (word: string): Promise<void> => {
      await greet(word)
      await launch('infra/hello.ts')
    }
    await change('changed')
    expect(await listBundles()).toContain(running)
    const later = Array.from({ length: 24 }, (_, at) => `later-${at}`)
    for (const name of later) await mkdir(join(build, name))
    for (const name of later) await age(name, 30.5)
    await change('changed again')
    expect(await listBundles()).not.toContain(running)
    expect(await listBundles()).toHaveLength(24)
  })

  it('starts from an earlier bundle without bundling while it is intact and current', async () => {
    await startAndRemember()
    const spoilers = [
      () => rm(join(dir.path, '.build/forged'), { recursive: true }),
      () => writeFile(record(), '{"name":"for'),
      () => writeFile(join(dir.path, 'tsconfig.json'), '{}'),
    ]
    for (const spoil of spoilers) {
      await forgeBundle()
      expect((await launch('infra/hello.ts')).stdout).toBe('forged\n')
      await spoil()
      expect((await launch('infra/hello.ts')).stdout).toContain('hello thread')
    }
  })

  it('detects a change of the source also when the entry point is spelled differently', async () => {
    await startAndRemember('./infra/hello.ts')
    await greet('changed')
    expect((await launch(join(dir.path, 'infra/hello.ts'))).stdout).toContain('changed thread')
  })

  it('keeps the compiled code of a bundle and its thread for later starts, unless it is damaged', async () => {
    const listCodes = async () => {
      const [bundle = ''] = await listBundles()
      const names = await readdir(join(dir.path, '.build', bundle))
      return names.filter((name) => name.endsWith('.code')).map((name) => join(dir.path, '.build', bundle, name))
    }
    const { stdout } = await launch('infra/hello.ts')
    const [code = '', threadCode = '', ...others] = await listCodes()
    expect([code, threadCode].map((path) => basename(path).split('.')[0])).toEqual(['hello', 'password-worker'])
    expect(others).toEqual([])
    const made = await readFile(code)
    const { ino } = await stat(code)
    expect((await launch('infra/hello.ts')).stdout).toBe(stdout)
    expect((await stat(code)).ino).toBe(ino)
    for (const damaged of [
      made.subarray(0, made.length / 2),
      made.map((byte, at) => (at === made.length - 8 ? byte ^ 1 : byte)),
    ]) {
      await writeFile(code, damaged)
      expect((await launch('infra/hello.ts')).stdout).toBe(stdout)
      expect(await readFile(code)).not.toEqual(Buffer.from(damaged))
    }
    expect(await listCodes()).toEqual([code, threadCode])
  })

  it('detects a change that keeps the size and the time of a source', async () => {
    await startAndRemember()
    await forgeBundle()
    const source = join(dir.path, 'infra/greeting.ts')
    const { atime, mtime } = await stat(source)
    await greet('HELLO')
    await utimes(source, atime, mtime)
    expect((await launch('infra/hello.ts')).stdout).toContain('HELLO thread')
  })

  it('uses another folder when the first is read-only', async () => {
    await writeFile(join(dir.path, '.build'), '')
    expect((await launch('infra/hello.ts')).stdout).toContain('hello')
    expect(await listBundles('node_modules/.cache/gatehouse')).toHaveLength(1)
  })

  describe('with both folders read-only', () => {
    beforeEach(async () => {
      await writeFile(join(dir.path, '.build'), '')
      await writeFile(join(dir.path, 'node_modules/.cache'), '')
    })
    const launchWith = (TMPDIR: string) =>
      run(process.execPath, [join(dir.path, 'infra/launch.js'), 'infra/hello.ts'], { env: { ...process.env, TMPDIR } })

    it('runs from a temporary folder with packages and resources, and leaves nothing there', async () => {
      const temporary = join(dir.path, 'temporary')
      await mkdir(temporary)
      await mkdir(join(dir.path, 'resources'))
      await writeFile(
        join(dir.path, 'infra/greeting.ts'),
        `import { existsSync } from 'node:fs'
import 'esbuild'
export const greeting: string = String(existsSync(new URL('./resources', import.meta.url)))`,
      )
      expect((await launchWith(temporary)).stdout).toContain('true thread')
      expect(await readdir(temporary)).toEqual([])
    })

    it('names all of them when that is read-only too', async () => {
      await expect(launchWith(join(dir.path, 'nowhere'))).rejects.toMatchObject({
        stderr: expect.stringMatching(
          /in one of these folders: make one of them writable[\s\S]*\.build: [A-Z]+[\s\S]*\.cache.gatehouse: [A-Z]+[\s\S]*nowhere: [A-Z]+/,
        ),
      })
    })
  })

  it('runs to the end when its output is closed, as with head', async () => {
    const done = join(dir.path, 'done')
    await writeFile(
      join(dir.path, 'infra/hello.ts'),
      `import { writeFile } from 'node:fs/promises'
import { setImmediate as turn } from 'node:timers/promises'
const run = async () => {
  for (let line = 0; line < 1000; line += 1) {
    process.stdout.write('a line\\n'.repeat(100))
    await turn()
  }
  await writeFile(${JSON.stringify(done)}, '')
}
export const main = run()`,
    )
    const command = `"$0" infra/launch.js infra/hello.ts | head -n 1; exit "\${PIPESTATUS[0]}"`
    const { stdout, stderr } = await run('bash', ['-c', command, process.execPath], { cwd: dir.path })
    expect([stdout, stderr, existsSync(done)]).toEqual(['a line\n', '', true])
  })

  it('shows the position of a fault in the source', async () => {
    await writeFile(join(dir.path, 'infra/greeting.ts'), `throw new Error('broken')\nexport const greeting: string = ''`)
    await expect(launch('infra/hello.ts')).rejects.toMatchObject({
      stderr: expect.stringContaining(`(${join(dir.path, 'infra/greeting.ts')}:1:`),
    })
  })

  it('exits with 1 and the source lines when its main promise rejects', async () => {
    await writeFile(
      join(dir.path, 'infra/hello.ts'),
      `const fail = async () => {
  await undefined
  throw new Error('no room')
}
const run = async () => {
  await fail()
}
export const main = run()`,
    )
    const source = join(dir.path, 'infra/hello.ts')
    await expect(launch('infra/hello.ts')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/Error: no room\n {4}at .*hello\.ts:3:9\)?\n {4}at async .*hello\.ts:6:/),
    })
    await expect(launch('infra/hello.ts')).rejects.toMatchObject({ stderr: expect.stringContaining(`${source}:3:`) })
  })

  it('runs in strict mode, as modules do', async () => {
    await writeFile(
      join(dir.path, 'infra/hello.ts'),
      `const run = async () => {
  try {
    Object.assign(Object.freeze({ kept: 1 }), {})
    ;(Object.freeze({ kept: 1 }) as { kept: number }).kept = 2
    console.log('lost')
  } catch (error) {
    console.log((error as Error).name)
  }
}
export const main = run()`,
    )
    expect((await launch('infra/hello.ts')).stdout).toBe('TypeError\n')
  })

  it('exits with 13 when its main promise never settles', async () => {
    await writeFile(join(dir.path, 'infra/hello.ts'), 'export const main = new Promise(() => undefined)')
    await expect(launch('infra/hello.ts')).rejects.toMatchObject({ code: 13, stdout: '' })
  })

  it.each(['20.18.3', '18.20.8', '12.22.12'])('names the required Node and the given one, %s, in one line', async (node) => {
    const old = join(dir.path, 'old-node.cjs')
    await writeFile(old, `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${node}' } })`)
    const started = run(process.execPath, ['--require', old, join(dir.path, 'infra/launch.js'), 'infra/hello.ts'])
    await expect(started).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(`^Gatehouse needs Node 20\\.19 or newer, and this is Node ${node}\\. [^\n]*\n$`),
    })
  })

  it('requires the Node version of package.json', async () => {
    const { engines } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
    const launcher = await readFile(join(root, 'infra/launch.js'), 'utf8')
    expect(launcher).toContain(`needs Node ${engines.node.slice('>='.length)} or newer`)
  })

  it('starts each server with the same young heap', async () => {
    const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
    const sizes = ['start', 'start:http', 'start:realtime'].map((name) => /--max-semi-space-size=\d+/.exec(scripts[name])?.[0])
    expect(sizes).toEqual(Array(3).fill('--max-semi-space-size=16'))
  })

  it('parses in Node 12.22, so that old versions reach the message', async () => {
    const launcher = await readFile(join(root, 'infra/launch.js'), 'utf8')
    const [asItIs, forOld] = await Promise.all(
      ['esnext', 'node12.22'].map((target) => transform(launcher, { target, format: 'esm' })),
    )
    expect(forOld?.code).toBe(asItIs?.code)
    expect(launcher).not.toMatch(/^import |\bimport\.meta\b/m)
  })

  it('prints its usage without arguments', async () => {
    await expect(launch()).rejects.toMatchObject({ stderr: expect.stringContaining('Name an entry point') })
  })
})
