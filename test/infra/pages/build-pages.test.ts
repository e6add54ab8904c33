import { execFileSync } from 'node:child_process'
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createBuiltPages } from '../../../shared/domain/pages/files/built-pages.ts'
import { buildPagesInto } from '../../support/pages/build-pages.ts'
import { createTempDir } from '../../support/processes/temp-dir.ts'

let dir: Awaited<ReturnType<typeof createTempDir>>
beforeAll(async () => {
  dir = await createTempDir()
  await buildPagesInto(dir.path)
}, 180_000)
afterAll(() => dir.remove())

const listScripts = async () => (await readdir(dir.path)).filter((name) => name.endsWith('.js'))

describe('the pages that npm run pages builds', () => {
  it('are read back unchanged in each encoding', async () => {
    const pages = createBuiltPages(() => dir.path)
    const html = await pages.findPage('play')
    expect(html?.contentType).toBe('text/html; charset=utf-8')
    const addresses = [
      ...Buffer.from(html?.bytes ?? '')
        .toString()
        .matchAll(/"pages\/([^"]+)"/g),
    ].map(([, name]) => name ?? '')
    expect(addresses.length).toBeGreaterThanOrEqual(2)
    for (const name of addresses) {
      const file = await pages.findFile(name)
      expect(file?.contentType).toMatch(/^text\/(css|javascript|plain); charset=utf-8$/)
      const { br, gzip } = file?.encoded ?? {}
      if (br !== undefined) expect(Buffer.compare(brotliDecompressSync(br), file?.bytes ?? Buffer.of())).toBe(0)
      if (gzip !== undefined) expect(Buffer.compare(gunzipSync(gzip), file?.bytes ?? Buffer.of())).toBe(0)
    }
  })

  it('include the client library, which npm can install', async () => {
    const file = await createBuiltPages(() => dir.path).findFile('gatehouse-client.tgz')
    expect([file?.contentType, file?.encoded]).toEqual(['application/gzip', {}])
    const list = execFileSync('tar', ['tz'], { input: file?.bytes, encoding: 'utf8' }).trim().split('\n')
    for (const name of ['package.json', 'dist/client.js', 'types/sdk/client.d.ts', 'README.md', 'examples/bot.js'])
      expect(list).toContain(`package/${name}`)
  })

  it('have no inline scripts, and load nothing from other origins', async () => {
    const names = (await readdir(dir.path)).filter((name) => name.endsWith('.html'))
    expect(names.length).toBeGreaterThan(0)
    for (const name of names) {
      const text = await readFile(join(dir.path, name), 'utf8')
      expect(text).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son\w+=|style=|\/\/|\{\{/)
    }
  })

  it('are small enough for a phone: the game at most 250 kB gzipped with workers and styles', async () => {
    const pages = createBuiltPages(() => dir.path)
    const seen = new Set<string>()
    const weigh = async (name: string): Promise<number> => {
      if (seen.has(name)) return 0
      seen.add(name)
      const file = await pages.findFile(name)
      if (file === undefined) return 0
      const imported = [
        ...Buffer.from(file.bytes)
          .toString()
          .matchAll(/(?:from|import\(?)\s*"\.\/([\w.-]+)"/g),
      ].map(([, one]) => one ?? '')
      let bytes = (file.encoded.gzip ?? file.bytes).length
      for (const one of imported) bytes += await weigh(one)
      return bytes
    }
    const html = Buffer.from((await pages.findPage('play'))?.bytes ?? '').toString()
    let total = 0
    for (const [, name = ''] of html.matchAll(/"pages\/([^"]+)"/g)) total += await weigh(name)
    expect(total).toBeGreaterThan(100_000)
    expect(total).toBeLessThan(250_000)
  })

  /** The files that a page of the console loads besides the first ones, by the name of its module. */
  const consolePages: Readonly<Record<string, readonly string[]>> = {
    'the settings as a form': ['configs-page', 'config-file', 'form-view'],
    'the settings as text': ['configs-page', 'config-file', 'text-editor'],
    'the settings as a form beside the text': ['configs-page', 'config-file', 'form-view', 'text-editor'],
    'the changes of a config': ['configs-page', 'config-file', 'changes-view', 'text-difference'],
    'the versions of a config': ['configs-page', 'config-file', 'revisions', 'text-difference'],
    'the zone editor': ['editor-page', 'mesh-worker'],
    'the overview with its charts': ['home-page', 'load-charts'],
  }

  it('are small enough to administrate from anywhere: console 70 kB, each page 220 kB at most', async () => {
    const pages = createBuiltPages(() => dir.path)
    const textOf = async (name: string) => Buffer.from((await pages.findFile(name))?.bytes ?? '').toString()
    /** A file with its static imports at any depth. */
    const listLoaded = async (name: string, seen: Set<string>): Promise<void> => {
      if (seen.has(name)) return
      seen.add(name)
      for (const [, one = ''] of (await textOf(name)).matchAll(/(?:from|import)\s*"\.\/([\w.-]+)"/g)) await listLoaded(one, seen)
    }
    /** In bytes, compressed as `npm start` does it, which is the fast way. */
    const weigh = async (names: Iterable<string>): Promise<number> => {
      let bytes = 0
      for (const name of names) bytes += gzipSync((await pages.findFile(name))?.bytes ?? '', { level: 6 }).length
      return bytes
    }
    const all = await readdir(dir.path)
    const findBuilt = (module: string): string => {
      const found = all.find((name) => new RegExp(`^${module}-[A-Z0-9]{8}\\.js$`).test(name))
      if (found === undefined) throw new Error(`${module} is not a file of its own`)
      return found
    }
    const html = Buffer.from((await pages.findPage('console'))?.bytes ?? '').toString()
    const first = new Set<string>()
    for (const [, name = ''] of html.matchAll(/(?:src|href)="pages\/([^"]+\.(?:js|css))"/g)) await listLoaded(name, first)
    const weighPage = async (modules: readonly string[]): Promise<number> => {
      const loaded = new Set(first)
      for (const module of modules) await listLoaded(findBuilt(module), loaded)
      return weigh(loaded)
    }
    expect(await weigh(first)).toBeGreaterThan(10_000)
    // The first page is the frame and the overview. Its charts follow.
    expect(await weighPage(['home-page'])).toBeLessThanOrEqual(70_000)
    for (const name of first) expect(await textOf(name)).not.toContain('cm-scroller')
    // A page loads only the parts of the client library that it uses: the zone editor needs rays, not walks.
    const zoneEditor = new Set(first)
    await listLoaded(findBuilt('editor-page'), zoneEditor)
    for (const name of zoneEditor) expect(await textOf(name)).not.toContain('The land there is not there yet.')
    const weights: Record<string, number> = {}
    for (const [page, modules] of Object.entries(consolePages)) weights[page] = await weighPage(modules)
    // Every other page is one module that is loaded when the page opens.
    const seen = new Set<string>(first)
    for (const name of seen)
      for (const [, one = ''] of (await textOf(name)).matchAll(/import\("\.\/([\w.-]+)"\)/g)) {
        seen.add(one)
        const loaded = new Set(first)
        await listLoaded(one, loaded)
        for (const each of loaded) seen.add(each)
        weights[one] = await weigh(loaded)
      }
    expect(Object.keys(weights).length).toBeGreaterThan(30)
    expect(Object.entries(weights).filter(([, bytes]) => bytes > 220_000)).toEqual([])
  })

  it('include the licences of their packages, three.js first of all', async () => {
    const pages = createBuiltPages(() => dir.path)
    const html = Buffer.from((await pages.findPage('play'))?.bytes ?? '').toString()
    const name = /rel="license" href="pages\/(licences-\w+\.txt)"/.exec(html)?.[1] ?? ''
    const text = Buffer.from((await pages.findFile(name))?.bytes ?? '').toString()
    for (const used of ['three', 'preact', '@preact/signals', '@bufbuild/protobuf'])
      expect(text).toMatch(new RegExp(`^${used} \\d`, 'm'))
    expect(text).toContain('three.js authors')
    expect(text).toContain('Permission is hereby granted, free of charge')
    for (const inTree of ['esbuild', 'express']) expect(text).not.toMatch(new RegExp(`^${inTree} \\d`, 'm'))
  })

  it('have names that change with their content', async () => {
    expect((await listScripts()).every((name) => /-[A-Z0-9]{8}\.js$/.test(name))).toBe(true)
  })

  it('serve no page as a file, nothing that was not built, and nothing outside of their folder', async () => {
    await writeFile(join(dir.path, 'stray.js'), 'stray')
    const pages = createBuiltPages(() => dir.path)
    const { pages: byName } = JSON.parse(await readFile(join(dir.path, 'manifest.json'), 'utf8'))
    for (const name of [byName.play, 'stray.js', 'manifest.json', '../package.json', '__proto__', 'toString'])
      expect(await pages.findFile(name)).toBeUndefined()
    for (const name of ['other', '__proto__', 'constructor']) expect(await pages.findPage(name)).toBeUndefined()
  })

  it('are served when they are built or rebuilt while the server runs', async () => {
    const other = await createTempDir()
    try {
      const pages = createBuiltPages(() => other.path)
      expect(await pages.findPage('play')).toBeUndefined()
      await writeFile(join(other.path, 'play-1.html'), 'one')
      await writeFile(join(other.path, 'manifest.json'), '{"pages":{"play":"play-1.html"},"files":{"play-1.html":[]}}')
      expect(Buffer.from((await pages.findPage('play'))?.bytes ?? '').toString()).toBe('one')
      await writeFile(join(other.path, 'play-2.html'), 'two')
      await writeFile(join(other.path, 'manifest.json'), '{"pages":{"play":"play-2.html"},"files":{"play-2.html":[]}}')
      await utimes(join(other.path, 'manifest.json'), 1, 1)
      expect(Buffer.from((await pages.findPage('play'))?.bytes ?? '').toString()).toBe('two')
    } finally {
      await other.remove()
    }
  })
})
