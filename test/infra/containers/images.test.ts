import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { halfNames } from '../../../infra/containers/bundle-half.ts'
import { nativePackages } from '../../../infra/containers/native-packages.ts'
import { createStage } from '../../e2e/support/stage.ts'
import { startAgonesSidecar } from '../../support/containers/agones-sidecar.ts'
import { parseCompose } from '../../support/containers/compose.ts'
import { checkHealth, startContainer } from '../../support/containers/container.ts'
import { projectRoot } from '../../support/containers/dockerfile.ts'
import { type BuiltImage, buildImage, listFiles } from '../../support/containers/image-build.ts'
import { createImageLayers } from '../../support/containers/image-layers.ts'
import { listModulesBeside } from '../../support/containers/modules-beside.ts'
import { anyDynamo, createTestTarget, type DynamoServer, openDynamoForTests } from '../../support/dynamodb/dynamodb.ts'
import { describeWhere } from '../../support/needs/guard.ts'
import { findFreePort } from '../../support/processes/free-port.ts'
import { describeOwnRedis, ownRedis, type RedisServer, startRedis } from '../../support/redis/redis.ts'
import { waitFor } from '../../support/time/wait-for.ts'

const machine = process.arch === 'arm64' ? 'arm64' : 'amd64'
const otherMachine = machine === 'arm64' ? 'amd64' : 'arm64'
const describeBoth = describeWhere(ownRedis, anyDynamo)
/** `e_machine` in the header of an ELF file. */
const elfMachines = { amd64: 62, arm64: 183 }
const buildMs = 480_000
const mebibyte = 1024 * 1024

const layers = createImageLayers()
const images = new Map<string, BuiltImage>()
const imageOf = (half: string): BuiltImage => {
  const image = images.get(half)
  if (image === undefined) throw new Error(`${half} was not built`)
  return image
}
const listNative = async (image: BuiltImage) =>
  (await listFiles(image.root)).filter((path) => /\.(node|so|bare)(\.|$)/.test(path))
const elfMachineOf = async (path: string): Promise<number> => (await readFile(path)).readUInt16LE(18)

beforeAll(async () => {
  for (const half of halfNames) images.set(half, await buildImage(half, machine, layers))
}, buildMs)
afterAll(async () => {
  for (const image of images.values()) await image.remove()
  await layers.remove()
})

describe.each(halfNames)('the image of the %s half, made by the commands of its Dockerfile', (half) => {
  it('has no development dependencies, compilers, bundlers, tests, TypeScript or npm', async () => {
    const files = await listFiles(imageOf(half).root)
    expect(files.length).toBeGreaterThan(50)
    expect(files.filter((path) => /\.(ts|tsx|cts|mts|c|cc|cpp|h|gyp|sh)$/.test(path))).toEqual([])
    expect(files.filter((path) => /(^|\/)(tests?|__tests__|\.git|\.ci|npm|corepack)\//.test(path))).toEqual([])
    const { devDependencies } = JSON.parse(await readFile(join(projectRoot, 'package.json'), 'utf8'))
    const packages = new Set(files.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []))
    expect(
      [...packages].filter((name) => name in devDependencies || /^(typescript|esbuild|tsx|@esbuild\/.*)$/.test(name)),
    ).toEqual([])
    expect([...packages]).toEqual(expect.arrayContaining([...nativePackages]))
  })

  it('has exactly the packages of the lock file, each with its hash', async () => {
    const lock = JSON.parse(await readFile(join(projectRoot, 'package-lock.json'), 'utf8'))
    const installed = JSON.parse(await readFile(join(imageOf(half).root, 'app/node_modules/.package-lock.json'), 'utf8'))
    expect(Object.keys(installed.packages).length).toBeGreaterThan(nativePackages.length)
    for (const [path, { version, integrity }] of Object.entries<Record<string, string>>(installed.packages)) {
      expect({ path, version, integrity }).toEqual({ path, version: lock.packages[path].version, integrity: expect.any(String) })
      expect(integrity).toBe(lock.packages[path].integrity)
    }
  })

  it('has native code only for its machine and glibc', async () => {
    const native = await listNative(imageOf(half))
    expect(native.join('\n')).toMatch(/lmdb[\s\S]*nice[\s\S]*fs-native-extensions/)
    expect(native.filter((path) => /musl|darwin|win32|android/.test(path))).toEqual([])
    for (const path of native)
      expect([path, await elfMachineOf(join(imageOf(half).root, path))]).toEqual([path, elfMachines[machine]])
  })

  it('is small: less than 24 MiB without Node and Debian', async () => {
    const { root } = imageOf(half)
    const sizes = (await listFiles(root)).filter((path) => path.startsWith('app/')).map((path) => stat(join(root, path)))
    const bytes = (await Promise.all(sizes)).reduce((sum, { size }) => sum + size, 0)
    expect(bytes / mebibyte).toBeLessThan(24)
  })

  it('has the pages for browsers if it serves them', async () => {
    const built = (await listFiles(imageOf(half).root)).filter((path) => path.startsWith('app/pages/'))
    expect(built.includes('app/pages/manifest.json')).toBe(half === 'http')
    expect(built.some((path) => path.endsWith('.js.br'))).toBe(half === 'http')
  })

  it('has a folder for modules, if it runs them', async () => {
    const { root, environment } = imageOf(half)
    const isThere = await stat(join(root, 'app/modules')).then(
      () => true,
      () => false,
    )
    expect([isThere, environment.GATEHOUSE_MODULES]).toEqual(half === 'realtime' ? [true, '/app/modules'] : [false, undefined])
  })

  it('has every module that its program starts as a thread or as another process', async () => {
    const files = await listFiles(join(imageOf(half).root, 'app'))
    expect(files).toEqual(expect.arrayContaining(listModulesBeside().map((name) => `${name}.js`)))
  })

  it('requires passwords without a saved server.yaml', async () => {
    expect(await readdir(join(imageOf(half).root, 'app/resources/starter'))).toEqual(['groups.yaml'])
    expect(await readFile(join(imageOf(half).root, 'app/resources/config/server.yaml'), 'utf8')).toMatch(
      /^ +requirePassword: true$/m,
    )
    // The file that SERVER_DEFAULTS names in AWS.
    expect(await readFile(join(imageOf(half).root, 'app/resources/aws/server.yaml'), 'utf8')).toMatch(/^ +trustedProxies: 2$/m)
  })
})

describe('an image for a machine other than the build machine', () => {
  it(
    'has native code for that machine, without emulation',
    async () => {
      const image = await buildImage('realtime', otherMachine, layers)
      try {
        const native = await listNative(image)
        expect(native.length).toBeGreaterThan(3)
        for (const path of native)
          expect([path, await elfMachineOf(join(image.root, path))]).toEqual([path, elfMachines[otherMachine]])
      } finally {
        await image.remove()
      }
    },
    buildMs,
  )
})

describeBoth('the services of the Compose file, run with its environment', () => {
  const stage = createStage()
  const { services } = parseCompose()
  let redis: RedisServer
  let dynamo: DynamoServer
  beforeAll(async () => {
    redis = await startRedis({ tcp: true })
    dynamo = await openDynamoForTests()
  }, 180_000)
  afterAll(async () => {
    await stage.close()
    await redis?.stop()
    await dynamo?.stop()
  })

  it('create the tables, serve a player, and continue on the standby node', async () => {
    const names = ['http', 'realtime', 'realtime-standby']
    const ports = new Map<string, string>()
    for (const name of names) ports.set(name, String(await findFreePort()))
    const addressOf = (name: string) => `http://127.0.0.1:${ports.get(name)}`
    /** Names and ports of the Compose file, with their addresses in this test. */
    const places: readonly (readonly [string, string])[] = [
      ['redis://redis:6379', redis.url],
      ['http://localstack:4566', dynamo.endpoint],
      ...names.flatMap((name) => {
        const published = services[name]?.ports?.[0]?.split(':').slice(0, 2).join(':')
        return [[`http://${published}`, addressOf(name)] as const, [`http://${name}:3001`, addressOf(name)] as const]
      }),
    ]
    const tablePrefix = createTestTarget(dynamo.endpoint).tablePrefix
    const variablesOf = (name: string) => {
      const variables = Object.entries(services[name]?.environment ?? {}).map(([variable, value]) => {
        const place = places.find(([there]) => there === value)
        return [variable, place?.[1] ?? value]
      })
      const own = { PORT: ports.get(name) ?? '', DYNAMODB_TABLE_PREFIX: tablePrefix, SHUTDOWN_DELAY_MS: '0' }
      // If the file gives a service no writable folder, the test gives it none either.
      const isReadOnly = services[name]?.tmpfs?.[0]?.startsWith('/data:') !== true
      return { ...Object.fromEntries(variables), ...own, ...(isReadOnly && { DATA_DIR: '/proc/nowhere' }) }
    }
    const run = (name: string) => {
      const { image = '', command } = services[name] ?? {}
      return stage.adopt(startContainer(imageOf(image.replace('gatehouse-', '')), variablesOf(name), command))
    }
    const isHealthy = async (name: string) => {
      const { image = '', healthcheck } = services[name] ?? {}
      const check = healthcheck?.test?.slice(1) ?? []
      return (await checkHealth(imageOf(image.replace('gatehouse-', '')), variablesOf(name), check)) === 0
    }

    const tables = run('tables')
    expect(await tables.ended).toBe(0)
    expect(tables.stdout()).toMatch(/records: created/)
    const node = await stage.ready(run('realtime'))
    const standby = await stage.ready(run('realtime-standby'))
    const server = await stage.ready(run('http'))
    // Docker also checks repeatedly before it reports a container as unhealthy.
    for (const name of names) await waitFor(() => isHealthy(name))

    const token = await stage.claim(server)
    const player = await stage.join(server.url, token)
    node.signal('SIGTERM')
    expect(await player.next('kick')).toMatchObject({ code: 'going-away', resumeUrl: addressOf('realtime-standby') })
    expect(await node.ended).toBe(0)
    expect((await stage.join(addressOf('realtime-standby'), token)).isOpen()).toBe(true)
    expect(await isHealthy('realtime')).toBe(false)
    for (const child of [standby, server]) {
      child.signal('SIGTERM')
      expect(await child.ended).toBe(0)
    }
    const isLock = (path: string) => /^worlds\/(\.folder-id(\.lock)?|default\.lease\.lock)$/.test(path)
    expect((await listFiles(join(imageOf('realtime').root, 'data'))).filter((path) => !isLock(path))).toEqual([])
  }, 180_000)
})

describeOwnRedis('the images, run by ENTRYPOINT and CMD as a user with write access only to the data folder', () => {
  const stage = createStage()
  let redis: RedisServer
  beforeAll(async () => {
    redis = await startRedis({ tcp: true })
  })
  afterAll(async () => {
    await stage.close()
    await redis?.stop()
  })

  it('serve a player, pass their HEALTHCHECK, report to Agones, and drain on SIGTERM', async () => {
    const [http, realtime] = [imageOf('http'), imageOf('realtime')]
    const [httpPort, realtimePort] = [String(await findFreePort()), String(await findFreePort())]
    // The two share one data folder, as two containers share a volume.
    const common = { REDIS_URL: redis.url, DATA_DIR: join(realtime.root, 'data'), SHUTDOWN_DELAY_MS: '0' }
    const start = async (image: BuiltImage, variables: Record<string, string>) =>
      stage.ready(stage.adopt(startContainer(image, { ...common, ...variables })))
    const sidecar = await startAgonesSidecar()
    const node = await start(realtime, { PORT: realtimePort, AGONES_SDK_HTTP_PORT: String(sidecar.port) })
    const server = await start(http, { PORT: httpPort, REALTIME_URL: `http://127.0.0.1:${realtimePort}` })

    const player = await stage.join(server.url, await stage.claim(server))
    expect(player.isOpen()).toBe(true)
    const isWell = async (...check: Parameters<typeof checkHealth>) => (await checkHealth(...check)) === 0
    await waitFor(() => isWell(http, { PORT: httpPort }))
    await waitFor(() => isWell(realtime, { PORT: realtimePort }))
    await waitFor(() => isWell(realtime, { PORT: realtimePort }, ['node', 'health-check.js', '/readyz']))
    expect(await checkHealth(realtime, { PORT: realtimePort }, ['node', 'health-check.js', '/nowhere'])).toBe(1)

    await waitFor(() => sidecar.listStates().includes('allocate'))
    node.signal('SIGTERM')
    expect(await player.next('kick')).toMatchObject({ code: 'going-away' })
    expect(await player.closed()).toMatchObject({ code: 1001 })
    expect(await node.ended).toBe(0)
    expect(sidecar.takeStates()).toEqual(['ready', 'allocate', 'shutdown'])
    await sidecar.stop()
    server.signal('SIGTERM')
    expect(await server.ended).toBe(0)
    // The sidecar runs in this process, which may be busy with another suite. The node repeats late requests.
    const complaint = /"level":[456]0(?!.*the Agones SDK does not answer)/
    for (const child of [node, server])
      expect([child.stderr(), child.stdout()]).toEqual(['', expect.not.stringMatching(complaint)])
    expect(await checkHealth(http, { PORT: httpPort })).toBe(1)
    expect(await checkHealth(realtime, { PORT: realtimePort })).toBe(1)
  }, 180_000)

  it('create a backup of a data folder, and restore it', async () => {
    const run = async (...command: string[]) => {
      const child = stage.adopt(startContainer(imageOf('http'), {}, ['backup.js', ...command]))
      expect([await child.ended, child.stderr()]).toEqual([0, ''])
      return child.stdout()
    }
    const adduser = ['adduser.js', 'boss@example.com', 'a password of mine']
    expect(await stage.adopt(startContainer(imageOf('http'), {}, adduser)).ended).toBe(0)
    expect(await run('create')).toContain('verified')
    expect(await run('restore', 'latest', '--replace')).toContain('Start the server')
  })

  it('run their tasks by name', async () => {
    const usage = stage.adopt(startContainer(imageOf('http'), {}, ['tables.js', '--help']))
    expect(await usage.ended).toBe(0)
    expect(usage.stdout()).toContain('DYNAMODB_ENDPOINT')
    const worlds = stage.adopt(startContainer(imageOf('realtime'), {}, ['world.js', 'list']))
    expect([await worlds.ended, worlds.stderr()]).toEqual([0, ''])
  })
})
