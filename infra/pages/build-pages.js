import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'esbuild'
import { directImports } from './direct-imports.js'
import { listLicences } from './list-licences.js'
import { clientName, packClient } from './pack-client.js'
import { pages } from './page-list.js'

/** Smaller files fit into one packet uncompressed. */
const compressedMin = 1024

const codings = {
  br: (contents, { isThorough }) =>
    promisify(brotliCompress)(contents, { params: { [constants.BROTLI_PARAM_QUALITY]: isThorough ? 11 : 5 } }),
  gzip: (contents, { isThorough }) => promisify(gzip)(contents, { level: isThorough ? 9 : 6 }),
}
const suffixes = { br: 'br', gzip: 'gz' }

const compress = async ({ name, contents }, options) => {
  if (contents.length < compressedMin || name === clientName) return { name, codings: [], files: [{ name, contents }] }
  const made = await Promise.all(
    Object.entries(codings).map(async ([coding, encode]) => ({
      name: `${name}.${suffixes[coding]}`,
      contents: await encode(contents, options),
    })),
  )
  return { name, codings: Object.keys(codings), files: [{ name, contents }, ...made] }
}

/**
 * The HTML of a page with the names of its built files (`licences` is one), relative to its address: `/play` and
 * `/pages/main-ABCDEFGH.js`.
 */
const fillIn = async (root, { name, html }, nameOf) => {
  const template = await readFile(join(root, html), 'utf8')
  const text = template.replaceAll(/\{\{([^}]+)\}\}/g, (_all, source) => {
    const built = nameOf(source.trim())
    if (built === undefined) throw new Error(`${html} names ${source}, which is not in infra/pages/page-list.js`)
    return `pages/${built}`
  })
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 8)
  return { name: `${name}-${hash}.html`, contents: Buffer.from(text) }
}

/**
 * Builds all pages and the tarball of the client library as files in memory: each file plain and compressed, and last the manifest for
 * `shared/domain/pages/files/built-pages.ts`. `inputs` are the sources. `isThorough` takes seconds to save a tenth of the size;
 * `isDebug` keeps the code readable.
 */
export const buildPages = async (root, { isThorough = false, isDebug = false } = {}) => {
  const present = pages.filter(({ html }) => existsSync(join(root, html)))
  const packing = packClient(root)
  // Reported below, after the build of the pages.
  packing.catch(() => undefined)
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [...new Set(present.flatMap(({ files }) => files))],
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    outdir: 'pages',
    bundle: true,
    splitting: true,
    platform: 'browser',
    format: 'esm',
    target: ['es2022'],
    minify: !isDebug,
    sourcemap: isDebug ? 'inline' : false,
    legalComments: 'eof',
    loader: { '.svg': 'file' },
    plugins: [directImports(root)],
    metafile: true,
    write: false,
    logLevel: 'warning',
  })
  const names = new Map(Object.entries(metafile.outputs).map(([path, { entryPoint }]) => [entryPoint, basename(path)]))
  const licences = await listLicences(root, Object.keys(metafile.inputs))
  names.set('licences', licences.name)
  const client = await packing
  const files = [
    ...outputFiles.map(({ path, contents }) => ({ name: basename(path), contents })),
    licences,
    { name: clientName, contents: client.contents },
  ]
  const htmls = await Promise.all(present.map((page) => fillIn(root, page, (source) => names.get(source))))
  const made = await Promise.all([...files, ...htmls].map((file) => compress(file, { isThorough })))
  const manifest = {
    pages: Object.fromEntries(present.map(({ name }, at) => [name, htmls[at]?.name])),
    files: Object.fromEntries(made.map(({ name, codings: kinds }) => [name, kinds])),
  }
  return {
    files: [
      ...made.flatMap((one) => one.files),
      { name: 'manifest.json', contents: Buffer.from(`${JSON.stringify(manifest, undefined, 1)}\n`) },
    ],
    inputs: [...Object.keys(metafile.inputs), ...present.map(({ html }) => html), ...client.inputs],
  }
}
