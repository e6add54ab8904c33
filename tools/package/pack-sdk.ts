import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, posix, relative, resolve } from 'node:path'
import { build } from 'esbuild'

const root = resolve(import.meta.dirname, '../..')

/** Exports of the package, and the file of each in `sdk/`. */
export const sdkEntries = {
  '.': 'client',
  './admin': 'admin',
  './world': 'world',
  './rules': 'rules',
  './testing': 'testing',
} as const

const run = (command: string, args: readonly string[], cwd: string): string =>
  execFileSync(command, args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: process.platform === 'win32',
  })

/** The entries as modules that import only shared chunks: for browsers, bundlers and Node. */
const bundleEntries = (folder: string) =>
  build({
    absWorkingDir: root,
    entryPoints: Object.values(sdkEntries).map((name) => `sdk/${name}.ts`),
    outdir: join(folder, 'dist'),
    bundle: true,
    splitting: true,
    platform: 'neutral',
    mainFields: ['module', 'main'],
    format: 'esm',
    target: 'es2023',
    sourcemap: 'linked',
    sourcesContent: true,
  })

const importedFiles = /(from\s+['"])(\.{1,2}\/[^'"]+)\.ts(['"])/g

/** Copies a declaration and all that it imports from the output of `tsc`. */
const copyDeclarations = (from: string, to: string, path: string, done: Set<string>): void => {
  if (done.has(path)) return
  done.add(path)
  const text = readFileSync(join(from, `${path}.d.ts`), 'utf8')
  mkdirSync(dirname(join(to, path)), { recursive: true })
  writeFileSync(join(to, `${path}.d.ts`), text.replace(importedFiles, '$1$2.js$3'))
  for (const [, , imported = ''] of text.matchAll(importedFiles))
    copyDeclarations(from, to, posix.join(posix.dirname(path), imported), done)
}

const declareEntries = (folder: string): void => {
  const made = join(folder, 'declared')
  const flags = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--rootDir', root, '--outDir', made]
  const binary = join(root, 'node_modules/.bin', process.platform === 'win32' ? 'tsc.cmd' : 'tsc')
  run(binary, ['-p', join(root, 'sdk'), ...flags], root)
  const done = new Set<string>()
  for (const name of Object.values(sdkEntries)) copyDeclarations(made, join(folder, 'types'), `sdk/${name}`, done)
  rmSync(made, { recursive: true })
}

const manifest = (version: string) => ({
  name: 'gatehouse-client',
  version,
  description: 'The client library of Gatehouse: sign in, connect, stay connected, see the world.',
  license: 'Apache-2.0',
  type: 'module',
  sideEffects: false,
  engines: { node: '>=20.16' },
  exports: Object.fromEntries(
    Object.entries(sdkEntries).map(([name, file]) => [name, { types: `./types/sdk/${file}.d.ts`, default: `./dist/${file}.js` }]),
  ),
  files: ['dist', 'types', 'examples', 'docs', 'protocol', 'NOTICE'],
  peerDependencies: { ws: '^8.0.0' },
  peerDependenciesMeta: { ws: { optional: true } },
})

/** The notice of third-party code in the bundles. */
const createNotice = (): string => {
  const { version, license } = JSON.parse(readFileSync(join(root, 'node_modules/@bufbuild/protobuf/package.json'), 'utf8'))
  return `gatehouse-client
Contains jsep (MIT, below) and the wire format of @bufbuild/protobuf ${version} (${license}), Copyright 2021-2026 Buf Technologies, Inc. and
Copyright 2008 Google Inc. (varint).

${readFileSync(join(root, 'node_modules/jsep/LICENSE'), 'utf8')}`
}

const exampleNames = ['nearby.js', 'bot.js', 'admin.js', 'zone-feed.js', 'world-feed.js', 'page.html']
const pageNames = ['accounts', 'classes', 'errors', 'protocol-notes', 'world-feed', 'zone-feed']

/** Examples, docs and the protocol: the place of each in the package, by its place in the repository. */
const extraFiles = new Map([
  ['docs/client.md', 'README.md'],
  ['realtime/protocol/gatehouse.proto', 'protocol/gatehouse.proto'],
  ...exampleNames.map((name) => [`sdk/examples/${name}`, `examples/${name}`] as const),
  ...pageNames.map((name) => [`docs/${name}.md`, `docs/${name}.md`] as const),
])

const relativeLink = /\[([^\]]*)\]\((?![a-z]+:|#)([^)#\s]*)(#[^)]*)?\)/g

/** Points links at files of the package. A link to any other file becomes its text. */
const moveLinks = (text: string, from: string, to: string): string =>
  text.replace(relativeLink, (_, label: string, target: string, anchor = '') => {
    const moved = extraFiles.get(posix.join(posix.dirname(from), target))
    return moved === undefined ? label : `[${label}](${posix.relative(posix.dirname(to), moved)}${anchor})`
  })

const copyExtras = (folder: string): void => {
  for (const [from, to] of extraFiles) {
    const text = readFileSync(join(root, from), 'utf8')
    mkdirSync(dirname(join(folder, to)), { recursive: true })
    writeFileSync(join(folder, to), from.endsWith('.md') ? moveLinks(text, from, to) : text)
  }
}

/** Packs the client library into a folder as npm installs it. Returns the path of the tarball. */
export const packSdk = async (into: string): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-sdk-'))
  try {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    await bundleEntries(folder)
    declareEntries(folder)
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(version), undefined, 2)}\n`)
    copyExtras(folder)
    copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
    writeFileSync(join(folder, 'NOTICE'), createNotice())
    mkdirSync(into, { recursive: true })
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
    const packed = run(npm, ['pack', '--json', '--loglevel=error', '--pack-destination', resolve(into)], folder)
    const [{ filename }] = JSON.parse(packed)
    return relative(process.cwd(), join(into, filename))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
