import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, posix, relative, resolve } from 'node:path'
import { build } from 'esbuild'
import { copyDeclarations, emitDeclarations, packFolder } from './declarations.ts'

const root = resolve(import.meta.dirname, '../..')

/** Exports of the package, and the file of each in `sdk/`. */
export const sdkEntries = {
  '.': 'client',
  './admin': 'admin',
  './world': 'world',
  './rules': 'rules',
  './testing': 'testing',
} as const

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

const declareEntries = (folder: string): void => {
  const made = join(folder, 'declared')
  emitDeclarations(join(root, 'sdk'), made)
  const paths = Object.values(sdkEntries).map((name) => `sdk/${name}`)
  copyDeclarations(made, join(folder, 'types'), paths)
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
    return relative(process.cwd(), join(into, packFolder(folder, into)))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
