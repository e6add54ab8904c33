import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import {
  findCircles,
  listSources,
  readImportedNames,
  readImports,
  readSource,
  projectRoot as root,
} from './support/architecture/import-graph.ts'

/** Existing folders of browser pages. */
const pages = ['console', 'play'].filter((folder) => existsSync(join(root, folder)))
const sources = ['functions', 'realtime', 'shared', 'infra', 'tools', 'bench', 'modules', 'sdk', ...pages, 'test'].flatMap(
  listSources,
)
const imports = sources.flatMap(readImports)

const isPackage = (target: string, name: string): boolean => target === name || target.startsWith(`${name}/`)
const offenders = (forbidden: (source: string, target: string) => boolean): string[] =>
  imports.filter(({ source, target }) => forbidden(source, target)).map(({ source, target }) => `${source} imports ${target}`)

/** Folders that may import a package, besides tests and infra: a driver is in a folder named after its technology. */
const keepers: readonly { readonly packages: readonly string[]; readonly files: RegExp }[] = [
  { packages: ['express', 'helmet', 'cors'], files: /^functions\/(app\.ts|http\/)/ },
  { packages: ['serverless-http'], files: /^functions\/(http\/lambda\/|[a-z]+\/handler\.ts)/ },
  { packages: ['ws'], files: /^realtime\/(node\/server|socket\/close-hook)\.ts$/ },
  { packages: ['ioredis'], files: /^shared\/([a-z-]+\/)+redis\// },
  { packages: ['lmdb'], files: /^shared\/([a-z-]+\/)+lmdb\// },
  { packages: ['@aws-sdk/client-dynamodb'], files: /^shared\/([a-z-]+\/)+dynamodb\// },
  { packages: ['fs-native-extensions'], files: /^shared\/platform\/storage\/files\// },
  {
    packages: ['node:fs', 'fs', 'node:fs/promises'],
    files: /^shared\/([a-z-]+\/)+(files|lmdb|embedded|users-file)\/|^shared\/platform\/process\//,
  },
  { packages: ['prom-client'], files: /^(functions\/http|realtime|shared)\/([a-z]+\/)*[a-z-]*(metrics|telemetry)[a-z-]*\.ts$/ },
  { packages: ['@opentelemetry'], files: /^shared\/platform\/tracing\// },
]

/** Pure computation, shared so that the client library decides by the same code as the server. */
const pure: readonly string[] = listSources('shared/rules')

describe('architecture', () => {
  it('finds the sources and their imports', () => {
    expect(sources.length).toBeGreaterThan(50)
    expect(imports).toContainEqual({ source: 'test/architecture.test.ts', target: 'node:fs', isType: false })
  })

  it('keeps functions/ and realtime/ independent of each other', () => {
    expect(offenders((source, target) => source.startsWith('functions/') && target.startsWith('realtime/'))).toEqual([])
    expect(offenders((source, target) => source.startsWith('realtime/') && target.startsWith('functions/'))).toEqual([])
  })

  it('keeps shared/ independent of both halves, infra and tests', () => {
    expect(
      offenders(
        (source, target) => source.startsWith('shared/') && /^(functions|realtime|infra|tools|bench|test)\//.test(target),
      ),
    ).toEqual([])
  })

  it('lets the client library import pure code of the server only, through two files', () => {
    const isCodec = (source: string, target: string) =>
      source.startsWith('sdk/protocol/generated/') && target === '@bufbuild/protobuf/wire'
    const isRule = (source: string, target: string) => /^sdk\/(world\/)?rules\.ts$/.test(source) && pure.includes(target)
    const isOwn = (target: string) => target.startsWith('sdk/')
    const isExample = (source: string) => source.startsWith('sdk/examples/')
    expect(
      offenders(
        (source, target) =>
          source.startsWith('sdk/') &&
          !isExample(source) &&
          !isOwn(target) &&
          !isCodec(source, target) &&
          !isRule(source, target),
      ),
    ).toEqual([])
    expect(offenders((source, target) => isExample(source) && !isOwn(target) && !/^(node:|ws$)/.test(target))).toEqual([])
    expect(imports).toContainEqual({
      source: 'sdk/world/rules.ts',
      target: 'shared/rules/movement/move-through-blocks.ts',
      isType: false,
    })
  })

  it('keeps pure code pure', () => {
    // A parser of arithmetic without effects.
    const isParser = (source: string, target: string) => source === 'shared/rules/formula.ts' && target === 'jsep'
    expect(offenders((source, target) => pure.includes(source) && !pure.includes(target) && !isParser(source, target))).toEqual(
      [],
    )
    expect(pure.filter((source) => /\b(process|Buffer|globalThis)\b/.test(readFileSync(join(root, source), 'utf8')))).toEqual([])
  })

  it('lets pages import the client library, generated API types, and the renderer only', () => {
    const isOwn = (source: string, target: string) => target.startsWith(`${source.split('/')[0]}/`)
    const isOpen = (target: string) => /^sdk\/(auth|client|admin|world)\.ts$|^play\/render\//.test(target)
    const isProject = (target: string) =>
      /^(functions|realtime|shared|infra|tools|bench|sdk|console|play|test)\/|^node:/.test(target)
    const isPage = (source: string) => /^(console|play)\//.test(source)
    expect(
      offenders((source, target) => isPage(source) && isProject(target) && !isOwn(source, target) && !isOpen(target)),
    ).toEqual([])
  })

  it('lets only the renderer import three, and keeps it independent of the rest of its page', () => {
    expect(offenders((source, target) => isPackage(target, 'three') && !/^(play\/render|test)\//.test(source))).toEqual([])
    expect(
      offenders(
        (source, target) => source.startsWith('play/render/') && target.startsWith('play/') && !target.startsWith('play/render/'),
      ),
    ).toEqual([])
  })

  it('lets sample modules import the API of modules and TypeBox only', () => {
    const isPublic = (target: string) => target === 'gatehouse/module' || target === '@sinclair/typebox'
    const isOwn = (source: string, target: string) => target.startsWith(`${source.split('/').slice(0, 2).join('/')}/`)
    expect(offenders((source, target) => source.startsWith('modules/') && !isPublic(target) && !isOwn(source, target))).toEqual(
      [],
    )
    expect(
      offenders(
        (source, target) => !source.startsWith('test/') && target.startsWith('modules/') && !source.startsWith('modules/'),
      ),
    ).toEqual([])
  })

  it('keeps the server independent of the client library and the pages', () => {
    expect(
      offenders((source, target) => /^(functions|realtime|shared)\//.test(source) && /^(sdk|console|play)\//.test(target)),
    ).toEqual([])
  })

  it('keeps product code independent of tests', () => {
    expect(offenders((source, target) => !/^(bench|test)\//.test(source) && target.startsWith('test/'))).toEqual([])
  })

  it('keeps the halves independent of programs and deployment', () => {
    expect(
      offenders((source, target) => /^(functions|realtime)\//.test(source) && /^(infra|tools|bench)\//.test(target)),
    ).toEqual([])
  })

  it.each(keepers)('lets only its keepers import $packages', ({ packages, files }) => {
    const inProduct = /^(functions|realtime|shared)\//
    expect(
      offenders(
        (source, target) => inProduct.test(source) && !files.test(source) && packages.some((name) => isPackage(target, name)),
      ),
    ).toEqual([])
  })

  it('keeps time, randomness and the environment out of domain code', () => {
    const reaching = /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bprocess\.env\b|\brandomUUID\(|\brandomBytes\(/
    const edges = /^shared\/(kernel\/(clock|ids)\.ts$|platform\/process\/)|^realtime\/main\.ts$|\/handler\.ts$/
    const product = sources.filter((source) => /^(functions|realtime|shared)\//.test(source) && !source.includes('/generated/'))
    expect(product.filter((source) => !edges.test(source) && reaching.test(readFileSync(join(root, source), 'utf8')))).toEqual([])
  })

  it('has no object spread of a literal', () => {
    const spread = /\.\.\.\{(?!\s*\})/
    expect(sources.filter((source) => source !== 'test/architecture.test.ts' && spread.test(readSource(source)))).toEqual([])
  })

  it('uses no internals of Node or of a library: no underscore properties, no private symbols', () => {
    const internals =
      /(?<!\bthis|\bsuper)\??\.\s*_[a-zA-Z]\w*|\[\s*['"]_[a-zA-Z]|['"]_[a-zA-Z]\w*['"]\s+in\b|\b(?:Reflect|Object)\.\w+\([^)]*['"]_[a-zA-Z]|\b(?:kBuffer\w*|kHandle|useUserBuffer|internalBinding|getOwnPropertySymbols)\b|\bprocess\.binding\b|expose-internals/
    const checked = sources.filter(
      (source) => !pages.includes(source.split('/')[0] ?? '') && !/\/generated\/|^test\/architecture\.test\.ts$/.test(source),
    )
    const findInternals = (source: string): string[] =>
      readSource(source)
        .split('\n')
        .flatMap((line, at) => {
          const found = internals.exec(line)
          return found === null ? [] : [`${source}:${at + 1} ${found[0].trim()}`]
        })
    expect(checked.flatMap(findInternals)).toEqual([])
    for (const line of [
      'stream._handle',
      "Reflect.get(socket, '_handle')",
      'const { kBuffer } = x',
      "'_read' in stream",
      'a?._b',
    ])
      expect(internals.test(line)).toBe(true)
    expect(internals.test('this._own')).toBe(false)
  })

  it('names files in kebab-case and has no drawers', () => {
    const named = sources.filter((source) => !source.includes('/generated/')).map((source) => source.split('/').at(-1) ?? '')
    expect(named.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.test|\.d)?\.tsx?$/.test(name))).toEqual([])
    expect(named.filter((name) => /^(index|utils?|helpers?|common|misc|.*-?manager)\.tsx?$/.test(name))).toEqual([])
  })
})

/** Layers from the lowest up; a file imports its own layer and those below. Later patterns win. */
const layers: readonly (readonly [name: string, files: RegExp])[] = [
  ['kernel', /^shared\/kernel\//],
  ['platform', /^shared\/platform\//],
  ['domain', /^shared\/domain\//],
  ['services', /^shared\/services\//],
  ['halves', /^(functions|realtime)\//],
  ['programs', /^(infra|tools|bench)\//],
]

/** Features of `shared/domain/`: each imports only features before it. */
const features: readonly string[] = [
  'audit',
  'classes',
  'permissions',
  'passwords',
  'presence',
  'node-reports',
  'tokens',
  'api-tokens',
  'pages',
  'accounts',
  'players',
  'sanctions',
  'worlds',
  'history',
  'sessions',
  'modules',
  'zones',
  'jobs',
  'auth',
  'configs',
  'world-moves',
  'backups',
  'explain',
  'merge',
  'undo',
]

describe('exports', () => {
  const isTest = (file: string) => /^(bench|test)\//.test(file)
  const isEntry = (file: string) =>
    /^sdk\/[a-z]+\.ts$|-worker\.ts$|^shared\/domain\/modules\/api\.ts$|^infra\/module-testing\/start-test-game\.ts$/.test(file)

  it('exports no value that only tests import', () => {
    const used = new Set<string>()
    const importers = [...sources.filter((source) => !isTest(source)), 'infra/launch.js', 'infra/pages.js']
    for (const source of importers) for (const name of readImportedNames(source)) used.add(name)
    const exported = sources
      .filter((source) => !isTest(source) && !isEntry(source) && !source.includes('/generated/'))
      .filter((source) => !used.has(`${source} *`))
      .flatMap((source) =>
        [...readSource(source).matchAll(/^export (?:const|let|(?:async )?function\*?|class) (\w+)/gm)].map(
          ([, name]) => `${source} ${name}`,
        ),
      )
    const byTests = new Set(sources.filter(isTest).flatMap(readImportedNames))
    expect(exported.filter((name) => !used.has(name) && byTests.has(name))).toEqual([])
  })
})

/** The length of the longest chain of imports that begins at a folder. */
const levelsBelow = (folder: string, pairs: readonly (readonly [string, string])[]): number => {
  const below = [...new Set(pairs.flatMap(([from, to]) => (from === folder ? [to] : [])))]
  return 1 + Math.max(0, ...below.map((next) => levelsBelow(next, pairs)))
}

describe('layers and folders', () => {
  const rooms = ['functions', 'realtime', 'shared', 'infra', 'tools', 'bench', 'sdk', 'console', 'play']
  const product = sources.filter((source) => rooms.includes(source.split('/')[0] ?? '') && !source.includes('/generated/'))
  const inner = imports.filter(({ source, target }) => product.includes(source) && product.includes(target))

  it('holds at most 30 source files in a folder', () => {
    const sizes = new Map<string, number>()
    for (const source of product) sizes.set(dirname(source), (sizes.get(dirname(source)) ?? 0) + 1)
    expect([...sizes].filter(([, size]) => size > 30)).toEqual([])
  })

  it('has no circle of files, types included', () => {
    expect(findCircles(inner.map(({ source, target }) => [source, target]))).toEqual([])
  })

  it('has no circle of folders at run time in shared/ and realtime/', () => {
    const between = inner
      .filter(({ source, isType }) => !isType && /^(shared|realtime)\//.test(source))
      .map(({ source, target }) => [dirname(source), dirname(target)] as const)
      .filter(([from, to]) => from !== to)
    expect(findCircles(between)).toEqual([])
  })

  const folderOf = (file: string): string => {
    const parts = file.split('/')
    const depth = /^shared\/(platform|domain)\//.test(file) ? 3 : 2
    return parts.slice(0, Math.min(depth, parts.length - 1)).join('/')
  }
  const folders = inner
    .map(({ source, target }) => [folderOf(source), folderOf(target)] as const)
    .filter(([from, to]) => from !== to)

  it('imports downwards only', () => {
    const layerOf = (file: string): number => layers.findIndex(([, files]) => files.test(file))
    expect(
      inner
        .filter(({ source, target }) => layerOf(source) >= 0 && layerOf(target) > layerOf(source))
        .map(({ source, target }) => `${source} imports ${target}`),
    ).toEqual([])
  })

  it('gives the kernel and the rules no import of another layer', () => {
    expect(
      inner
        .filter(({ source, target }) => /^shared\/(kernel|rules)\//.test(source) && folderOf(source) !== folderOf(target))
        .map(({ source, target }) => `${source} imports ${target}`),
    ).toEqual([])
  })

  it('imports features of shared/domain/ in their order', () => {
    const positionOf = (folder: string): number => features.indexOf(folder.replace('shared/domain/', ''))
    const within = folders.filter(([from, to]) => from.startsWith('shared/domain/') && to.startsWith('shared/domain/'))
    expect([...new Set(within.flat().filter((folder) => positionOf(folder) < 0))]).toEqual([])
    expect(within.filter(([from, to]) => positionOf(to) > positionOf(from)).map(([from, to]) => `${from} imports ${to}`)).toEqual(
      [],
    )
  })

  it('has no circle of folders in realtime/, and at most nine levels', () => {
    const within = inner
      .filter(({ source, target }) => source.startsWith('realtime/') && target.startsWith('realtime/'))
      .map(({ source, target }) => [source, target].map((file) => (dirname(file) === 'realtime' ? file : folderOf(file))))
      .flatMap(([from = '', to = '']) => (from === to ? [] : [[from, to] as const]))
    expect(findCircles(within)).toEqual([])
    expect(levelsBelow('realtime/main.ts', within)).toBeLessThanOrEqual(9)
  })

  it('has at most nine levels in shared/: the layers, and the features of shared/domain/', () => {
    const roomOf = (file: string): string => folderOf(file).replace(/^(shared\/platform)\/.*/, '$1')
    const within = inner
      .filter(({ source, target }) => source.startsWith('shared/') && target.startsWith('shared/'))
      .map(({ source, target }) => [roomOf(source), roomOf(target)] as const)
      .filter(([from, to]) => from !== to)
    expect(levelsBelow('shared/services', within)).toBeLessThanOrEqual(9)
  })

  it('composes the real-time half in few files: others of the node import at most 12 modules', () => {
    const compositions = product.filter((file) => {
      const targets = new Set(inner.filter(({ source }) => source === file).map(({ target }) => target))
      return /^realtime\/(node\/)?[a-z-]+\.ts$/.test(file) && targets.size > 12
    })
    expect(compositions.sort()).toEqual([
      'realtime/main.ts',
      'realtime/node/compose-game.ts',
      'realtime/node/game-loop.ts',
      'realtime/node/live-sockets.ts',
      'realtime/node/node.ts',
      'realtime/node/running-game.ts',
      'realtime/node/server.ts',
    ])
  })

  it('lets no two folders import each other', () => {
    const all = new Set(folders.map(([from, to]) => `${from} ${to}`))
    const pairs = [...all].filter((pair) => {
      const [from = '', to = ''] = pair.split(' ')
      return (
        /^(shared|realtime)\//.test(`${from}/`) &&
        from !== 'realtime' &&
        to !== 'realtime' &&
        from < to &&
        all.has(`${to} ${from}`)
      )
    })
    expect(pairs.sort()).toEqual([])
  })
})
