import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { bundleProgram, imageServerDefaults, listBeside } from '../../infra/containers/bundle-half.ts'
import { nativePackages } from '../../infra/containers/native-packages.ts'
import { declareEntries } from '../../infra/pages/declare-entries.js'
import { listLicences } from '../../infra/pages/list-licences.js'

const root = resolve(import.meta.dirname, '../..')

/** Programs of the command `gatehouse`. */
const programs = [
  'infra/local',
  'infra/dev',
  'infra/dev-server',
  'infra/project/run-tests',
  'sdk/examples/terminal/play',
  'tools/adduser',
  'tools/token',
  'tools/world',
  'tools/backup',
  'tools/migrate',
]

/** Exports of the package, and their sources. */
const moduleEntries = {
  './module': 'shared/domain/modules/api',
  './module/testing': 'infra/module-testing/start-test-game',
} as const

/** Packages next to the bundle: native code, the bundler of modules, and TypeBox, because its schemas must be the same for modules. */
const packages = [...nativePackages, 'esbuild', '@sinclair/typebox']

const fileOf = (entry: string): string => entry.slice(2).replaceAll('/', '-')

/** The installed version of each package, as declared. */
const versionsOf = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names.map((name) => [name, JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')).version]),
  )

const manifest = (version: string, engines: unknown) => ({
  name: 'gatehouse',
  version,
  description: 'The server side of a multiplayer voxel game, with modules of your own.',
  license: 'Apache-2.0',
  type: 'module',
  engines,
  bin: { gatehouse: 'bin/gatehouse.js' },
  exports: {
    ...Object.fromEntries(
      Object.entries(moduleEntries).map(([name, source]) => [
        name,
        { types: `./types/${source}.d.ts`, default: `./dist/${fileOf(name)}.js` },
      ]),
    ),
    './package.json': './package.json',
  },
  files: ['bin', 'dist', 'docs', 'modules', 'pages', 'resources', 'types', 'LICENCES.txt', 'NOTICE'],
  dependencies: versionsOf(packages),
})

const writeTypes = async (folder: string): Promise<void> => {
  for (const [path, text] of await declareEntries(root, 'tsconfig.json', Object.values(moduleEntries))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, `${path}.d.ts`), text)
  }
}

const buildPages = (folder: string, isHasty: boolean): void => {
  const pages = ['infra/pages.js', '--out', folder, ...(isHasty ? ['--hasty'] : [])]
  execFileSync(process.execPath, pages, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
}

const copyResources = (folder: string): void => {
  cpSync(join(root, 'resources'), join(folder, 'resources'), { recursive: true })
  // A new data folder would get this file, and then `SERVER_DEFAULTS` has no effect.
  rmSync(join(folder, 'resources/starter/server.yaml'))
  const [container] = imageServerDefaults
  if (container !== undefined) {
    mkdirSync(join(folder, 'resources/container'))
    copyFileSync(join(root, container.from), join(folder, 'resources/container/server.yaml'))
  }
}

const links = /\[([^\]]+)\]\(([^)\s]+)\)/g

/** The pages of `docs` that the page of modules links to, and itself. */
const listPages = (): ReadonlySet<string> => {
  const text = readFileSync(join(root, 'docs/modules.md'), 'utf8')
  const targets = Array.from(text.matchAll(links), ([, , target = '']) => target.split('#')[0] ?? '')
  return new Set(['modules.md', ...targets.filter((target) => /^[\w-]+\.md$/.test(target))])
}

/** Copies pages. A link to a file that is not in the package becomes text. */
const copyPages = (folder: string): void => {
  mkdirSync(folder)
  const pages = listPages()
  for (const page of pages) {
    const text = readFileSync(join(root, 'docs', page), 'utf8')
    const packed = text.replaceAll(links, (whole, label: string, target: string) => {
      const [file = ''] = target.split('#')
      return file === '' || /^[a-z]+:/.test(target) || pages.has(file) ? whole : label
    })
    writeFileSync(join(folder, page), packed)
  }
}

/** Packs a folder as npm does. Returns the name of the tarball in `into`. */
const packFolder = (folder: string, into: string): string => {
  const packed = execFileSync('npm', ['pack', '--json', '--loglevel=error', '--pack-destination', resolve(into)], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: process.platform === 'win32',
  })
  const [{ filename }] = JSON.parse(packed)
  return filename
}

const lead = 'The server of Gatehouse (Apache-2.0) contains the following packages.'

/** Packs the server into a folder as npm installs it. Returns the path of the tarball. `isHasty` compresses pages less. */
export const packServer = async (into: string, { isHasty = false } = {}): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-server-'))
  try {
    const { version, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const sources = await bundleProgram(root, join(folder, 'dist'), {
      entries: [
        ...programs.map((path) => ({ in: `${path}.ts`, out: path.split('/').at(-1) ?? path })),
        ...Object.entries(moduleEntries).map(([name, source]) => ({ in: `${source}.ts`, out: fileOf(name) })),
        ...listBeside(),
      ],
      packages,
      target: 'node20',
    })
    mkdirSync(join(folder, 'bin'))
    copyFileSync(join(root, 'infra/project/gatehouse.js'), join(folder, 'bin/gatehouse.js'))
    chmodSync(join(folder, 'bin/gatehouse.js'), 0o755)
    await writeTypes(join(folder, 'types'))
    copyResources(folder)
    buildPages(join(folder, 'pages'), isHasty)
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(version, engines), undefined, 2)}\n`)
    cpSync(join(root, 'modules'), join(folder, 'modules'), { recursive: true })
    copyPages(join(folder, 'docs'))
    for (const name of ['LICENSE', 'NOTICE']) copyFileSync(join(root, name), join(folder, name))
    writeFileSync(join(folder, 'LICENCES.txt'), (await listLicences(root, sources, lead)).contents)
    mkdirSync(into, { recursive: true })
    return resolve(into, packFolder(folder, into))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
