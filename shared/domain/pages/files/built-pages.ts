import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { PageFile, Pages } from '../pages.ts'

/** The manifest, which the builder writes last: the file of each page by name, and the codings of each file. */
const Manifest = Type.Object({
  pages: Type.Record(Type.String(), Type.String()),
  files: Type.Record(Type.String(), Type.Array(Type.Union([Type.Literal('br'), Type.Literal('gzip')]))),
})
type Manifest = Static<typeof Manifest>

const manifestName = 'manifest.json'
const suffixes = { br: 'br', gzip: 'gz' } as const

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.tgz': 'application/gzip',
  '.txt': 'text/plain; charset=utf-8',
}

/** The folder of the pages: the nearest folder `pages` with a manifest, at or above this module. */
export const findPagesFolder = (): string | undefined => {
  const start = dirname(fileURLToPath(import.meta.url))
  for (let folder = start; folder !== dirname(folder); folder = dirname(folder)) {
    const path = join(folder, 'pages')
    if (existsSync(join(path, manifestName))) return path
  }
  return undefined
}

const readPageFile = async (folder: string, name: string, codings: Manifest['files'][string]): Promise<PageFile> => {
  const bytes = await readFile(join(folder, name))
  const encoded = await Promise.all(
    codings.map(async (coding) => [coding, await readFile(join(folder, `${name}.${suffixes[coding]}`))] as const),
  )
  return {
    contentType: contentTypes[extname(name)] ?? 'application/octet-stream',
    etag: createHash('sha256').update(bytes).digest('hex').slice(0, 32),
    bytes,
    encoded: Object.fromEntries(encoded),
  }
}

type Built = {
  readonly folder: string
  readonly manifest: Manifest
  readonly seal: string
  readonly files: Map<string, Promise<PageFile>>
}

/**
 * The pages in a folder that `infra/pages.js` wrote. Each is kept in memory after its first request. A rebuilt folder is noticed at the
 * next request.
 */
export const createBuiltPages = (findFolder: () => string | undefined = findPagesFolder): Pages => {
  let built: Built | undefined

  const load = async (): Promise<Built | undefined> => {
    const folder = built?.folder ?? findFolder()
    if (folder === undefined) return undefined
    const path = join(folder, manifestName)
    const stats = await stat(path).catch(() => undefined)
    if (stats === undefined) return undefined
    const seal = `${stats.ino} ${stats.mtimeMs} ${stats.size}`
    if (built?.seal === seal) return built
    const manifest: unknown = JSON.parse(await readFile(path, 'utf8'))
    built = { folder, manifest: Value.Parse(Manifest, manifest), seal, files: new Map() }
    return built
  }
  const read = ({ folder, manifest, files }: Built, name: string): Promise<PageFile> => {
    const reading = files.get(name) ?? readPageFile(folder, name, manifest.files[name] ?? [])
    files.set(name, reading)
    reading.catch(() => files.delete(name))
    return reading
  }

  return {
    findPage: async (name) => {
      const loaded = await load()
      const file = loaded !== undefined && Object.hasOwn(loaded.manifest.pages, name) ? loaded.manifest.pages[name] : undefined
      return loaded === undefined || file === undefined ? undefined : read(loaded, file)
    },
    findFile: async (name) => {
      const loaded = await load()
      if (loaded === undefined || !Object.hasOwn(loaded.manifest.files, name)) return undefined
      // Serves a page only at its own address, with its own policy.
      return Object.values(loaded.manifest.pages).includes(name) ? undefined : read(loaded, name)
    },
  }
}
