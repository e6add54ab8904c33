import { readFile } from 'node:fs/promises'
import { join, posix, relative, sep } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { build } from 'esbuild'
import { pack } from 'tar-stream'
import { declareEntries } from './declare-entries.js'

/** The address of the tarball is `/pages/` and this name. */
export const clientName = 'gatehouse-client.tgz'

/** Exports of the package, and the file of each in `sdk/`. */
const entries = { '.': 'client', './admin': 'admin', './world': 'world', './rules': 'rules', './testing': 'testing' }

/** The entries as modules that import only shared chunks: for browsers, bundlers and Node. */
const bundleEntries = async (root) => {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: Object.values(entries).map((name) => `sdk/${name}.ts`),
    outdir: 'dist',
    bundle: true,
    splitting: true,
    platform: 'neutral',
    mainFields: ['module', 'main'],
    format: 'esm',
    target: 'es2023',
    sourcemap: 'linked',
    sourcesContent: true,
    metafile: true,
    write: false,
  })
  const nameOf = (path) => relative(root, path).split(sep).join('/')
  return {
    files: outputFiles.map(({ path, contents }) => ({ name: nameOf(path), contents: Buffer.from(contents) })),
    inputs: Object.keys(metafile.inputs),
  }
}

const declareClient = async (root) => {
  const sources = Object.values(entries).map((name) => `sdk/${name}`)
  // The types of Node are a development dependency. `npm run check:static` checks the sources with them.
  const found = await declareEntries(root, 'sdk/tsconfig.json', sources, { noCheck: true, types: [] })
  return {
    files: [...found].map(([path, text]) => ({ name: `types/${path}.d.ts`, contents: Buffer.from(text) })),
    inputs: [...found.keys()].map((path) => `${path}.ts`),
  }
}

const manifestOf = (version) => ({
  name: 'gatehouse-client',
  version,
  description: 'The client library of Gatehouse: sign in, connect, stay connected, see the world.',
  license: 'Apache-2.0',
  type: 'module',
  sideEffects: false,
  engines: { node: '>=20.16' },
  exports: Object.fromEntries(
    Object.entries(entries).map(([name, file]) => [name, { types: `./types/sdk/${file}.d.ts`, default: `./dist/${file}.js` }]),
  ),
  peerDependencies: { ws: '^8.0.0' },
  peerDependenciesMeta: { ws: { optional: true } },
})

/** The notice of third-party code in the bundles. */
const noticeOf = async (root) => {
  const { version, license } = JSON.parse(await readFile(join(root, 'node_modules/@bufbuild/protobuf/package.json'), 'utf8'))
  return `gatehouse-client
Contains jsep (MIT, below) and the wire format of @bufbuild/protobuf ${version} (${license}), Copyright 2021-2026 Buf Technologies, Inc. and
Copyright 2008 Google Inc. (varint).

${await readFile(join(root, 'node_modules/jsep/LICENSE'), 'utf8')}`
}

const exampleNames = [
  ...['nearby.js', 'bot.js', 'admin.js', 'zone-feed.js', 'world-feed.js', 'page.html'],
  ...['greeter.js', 'capture-the-flag.js', 'discord-bridge.js', 'python/bot.py'],
]
const pageNames = ['accounts', 'automation', 'bots', 'classes', 'errors', 'protocol-notes', 'world-feed', 'zone-feed']

/** Examples, docs and the protocol: the place of each in the package, by its place in the repository. */
const extraFiles = new Map([
  ['docs/client.md', 'README.md'],
  ['LICENSE', 'LICENSE'],
  ['realtime/protocol/gatehouse.proto', 'protocol/gatehouse.proto'],
  ['docs/protocol-vectors.json', 'docs/protocol-vectors.json'],
  ...exampleNames.map((name) => [`sdk/examples/${name}`, `examples/${name}`]),
  ...pageNames.map((name) => [`docs/${name}.md`, `docs/${name}.md`]),
])

const relativeLink = /\[([^\]]*)\]\((?![a-z]+:|#)([^)#\s]*)(#[^)]*)?\)/g

/** Points links at files of the package. A link to any other file becomes its text. */
const moveLinks = (text, from, to) =>
  text.replace(relativeLink, (_, label, target, anchor = '') => {
    const moved = extraFiles.get(posix.join(posix.dirname(from), target))
    return moved === undefined ? label : `[${label}](${posix.relative(posix.dirname(to), moved)}${anchor})`
  })

const readExtras = (root) =>
  Promise.all(
    [...extraFiles].map(async ([from, name]) => {
      const text = await readFile(join(root, from), 'utf8')
      return { name, contents: Buffer.from(from.endsWith('.md') ? moveLinks(text, from, name) : text) }
    }),
  )

/** A tar archive of these files, without owner and time: equal files give equal archives. */
const packTar = (files) => {
  const archive = pack()
  for (const { name, contents } of files) archive.entry({ name: `package/${name}`, mtime: new Date(0) }, contents)
  archive.finalize()
  return buffer(archive)
}

/**
 * Packs the client library in memory, as npm installs it: code, types, docs and examples. Returns its version, the tarball and the
 * sources that it is made of. Takes about two seconds.
 */
export const packClient = async (root) => {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const [code, types, extras] = await Promise.all([bundleEntries(root), declareClient(root), readExtras(root)])
  const files = [
    { name: 'package.json', contents: Buffer.from(`${JSON.stringify(manifestOf(version), undefined, 2)}\n`) },
    { name: 'NOTICE', contents: Buffer.from(await noticeOf(root)) },
    ...extras,
    ...code.files,
    ...types.files,
  ]
  return {
    version,
    contents: await promisify(gzip)(await packTar(files), { level: 9 }),
    inputs: [...new Set([...code.inputs, ...types.inputs, ...extraFiles.keys()])],
  }
}
