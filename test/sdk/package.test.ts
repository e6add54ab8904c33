import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { build } from 'esbuild'
import { type InstalledSdk, installSdk, root } from './support/installed-sdk.ts'

let sdk: InstalledSdk
beforeAll(async () => {
  sdk = await installSdk()
}, 180_000)
afterAll(() => sdk.remove())

const program = `
import { connect, type EditResultReason, type KickCode, type NoticeKind, ProblemError, type Session, signIn } from 'gatehouse-client'
import { createCall } from 'gatehouse-client/admin'
import { parseDice, parseFormula, rollDice } from 'gatehouse-client/rules'
import { createFakeServer, startBots } from 'gatehouse-client/testing'
import { createBlockCache, watchWorld } from 'gatehouse-client/world'

const me = await signIn({ url: 'http://127.0.0.1:3000', email: 'ann@example.com' })
const session: Session = await connect(me, { WebSocket: class {}, signal: AbortSignal.timeout(1000) })
session.on('correction', ({ reason }) => {
  // @ts-expect-error a known reason is suggested, and the type is not only a text
  const known: 'too-fast' | 'blocked' = reason
  void known
})
const ofKick: KickCode = 'displaced'
const ofEdit: EditResultReason = 'missing-permission: zone.build in zone "Town"'
const ofNotice: NoticeKind = 'a kind of a newer server'
void [ofKick, ofEdit, ofNotice]
session.on('chat', ({ from, text }) => { const line: string = from + text; void line })
for await (const state of session.events('state')) if (state.name === 'waiting') { const at: number = state.retryAt; void at }
const { body } = await createCall(me)('GET /api/admin/users/{email}', { params: { email: 'ann@example.com' } })
const groups: readonly string[] = body.groups
// @ts-expect-error there is no such route
void createCall(me)('GET /api/admin/nothing')
// @ts-expect-error the address needs its parameter
void createCall(me)('GET /api/admin/users/{email}')
const parsed = parseFormula('level * 2')
if (parsed.ok) void parsed.formula.kind
const dice = parseDice('2d6+3')
if (dice !== undefined) void rollDice(dice, Math.random)
void [groups, ProblemError, createFakeServer, startBots, createBlockCache, watchWorld(session).players.list()]
`

const fakeProgram = `
import { connect, signIn } from 'gatehouse-client'
import { createFakeServer } from 'gatehouse-client/testing'

const { url, fetch, WebSocket } = createFakeServer()
const people = await Promise.all(['ann', 'bob'].map((name) => signIn({ url, fetch, email: name + '@example.com' })))
const [ann, bob] = await Promise.all(people.map((one) => connect(one, { WebSocket })))
const lines = ann.events('chat')
await bob.chat('hello')
const { value } = await lines.next()
console.log(ann.welcome().displayName, 'hears', value.from + ':', value.text)
await Promise.all([ann, bob].map((session) => session.close()))
for (const one of people) one.close()
`

/** The size of everything that a page loads with an entry, minified and gzipped. */
const measure = async (entry: string): Promise<number> => {
  const { outputFiles } = await build({
    absWorkingDir: sdk.folder,
    stdin: { contents: `export * from '${entry}'`, resolveDir: sdk.folder },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  })
  return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length
}

describe('the packed client library', () => {
  it('has no dependency, no install step and types before code', () => {
    const manifest = JSON.parse(readFileSync(join(sdk.modules, 'gatehouse-client/package.json'), 'utf8'))
    expect(manifest).toMatchObject({ type: 'module', sideEffects: false, peerDependenciesMeta: { ws: { optional: true } } })
    expect(manifest.dependencies).toBeUndefined()
    expect(manifest.scripts).toBeUndefined()
    expect(Object.keys(manifest.exports)).toEqual(['.', './admin', './world', './rules', './testing'])
    for (const entry of Object.values<object>(manifest.exports)) expect(Object.keys(entry)[0]).toBe('types')
    expect(readdirSync(sdk.modules).filter((name) => !name.startsWith('.'))).toEqual(['gatehouse-client'])
  })

  it('contains the examples and docs, and every link leads to a file in it', () => {
    const folder = join(sdk.modules, 'gatehouse-client')
    const pages = ['README.md', ...readdirSync(join(folder, 'docs')).map((name) => join('docs', name))]
    const links = pages.flatMap((page) =>
      [...readFileSync(join(folder, page), 'utf8').matchAll(/\]\((?![a-z]+:|#)([^)#\s]*)/g)].map(([, target = '']) =>
        join(dirname(page), target),
      ),
    )
    expect(links).toEqual(
      expect.arrayContaining(['examples/bot.js', 'examples/greeter.js', 'docs/errors.md', 'protocol/gatehouse.proto']),
    )
    expect(links.filter((link) => !existsSync(join(folder, link)))).toEqual([])
  })

  it('contains the declarations of all entries, and every file that they import', () => {
    const folder = join(sdk.modules, 'gatehouse-client/types')
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.d.ts'))
    expect(files).toEqual(
      expect.arrayContaining(['client', 'admin', 'world', 'rules', 'testing'].map((name) => `sdk/${name}.d.ts`)),
    )
    const imports = files.flatMap((name) =>
      [...readFileSync(join(folder, name), 'utf8').matchAll(/^(?:import|export|\}) .*from ['"]([^'"]+)['"]/gm)].map(
        ([, target = '']) => join(dirname(name), target.replace(/\.js$/, '.d.ts')),
      ),
    )
    expect(imports.filter((target) => !files.includes(target))).toEqual([])
  })

  it('imports nothing from outside', () => {
    const folder = join(sdk.modules, 'gatehouse-client/dist')
    const code = readdirSync(folder).filter((name) => name.endsWith('.js'))
    const imports = code.flatMap((name) =>
      [
        ...readFileSync(join(folder, name), 'utf8').matchAll(/^\s*(?:import|\} from|export .* from)[^'"\n]*["']([^'"]+)["']/gm),
      ].map((match) => match[1]),
    )
    expect(imports.length).toBeGreaterThan(3)
    expect(imports.filter((name) => !name?.startsWith('./'))).toEqual([])
  })

  it('passes tsc in a strict project with a page and without Node', () => {
    sdk.write('main.ts', program)
    const flags = ['--strict', '--exactOptionalPropertyTypes', '--skipLibCheck', 'false', '--noEmit', '--types', '']
    const settings = ['--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023,dom,dom.asynciterable']
    const check = () =>
      execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...flags, ...settings, 'main.ts'], {
        cwd: sdk.folder,
        encoding: 'utf8',
      })
    expect(check()).toBe('')
  }, 180_000)

  it.each([
    ['gatehouse-client', 21_000],
    ['gatehouse-client/world', 8_000],
  ])('makes %s no larger than %i bytes, minified and gzipped', async (entry, bytesMax) => {
    const bytes = await measure(entry)
    expect(bytes).toBeGreaterThan(1_000)
    expect(bytes).toBeLessThanOrEqual(bytesMax)
  })

  it('runs in Node, and lets the program end once everything is closed', async () => {
    sdk.write('main.js', fakeProgram)
    expect(await sdk.run(['main.js'])).toEqual({ code: 0, output: 'ann hears bob: hello\n', complaints: '' })
  }, 180_000)
})
