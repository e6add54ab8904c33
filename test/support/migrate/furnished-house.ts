import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openHistoryBook } from '../../../shared/domain/history/history-book.ts'
import {
  modulePlayers,
  moduleRecords,
  moduleStates,
  playerDataId,
  recordId,
  stateId,
} from '../../../shared/domain/modules/data/module-data.ts'
import { playerStates, savedPositionId, savedPositions } from '../../../shared/domain/players/player-state.ts'
import { registryOf } from '../../../shared/domain/worlds/chunks/block-registry.ts'
import { encodeChunk } from '../../../shared/domain/worlds/chunks/compress-chunk.ts'
import { createGenerator } from '../../../shared/domain/worlds/generation/generators.ts'
import type { WorldRecord } from '../../../shared/domain/worlds/world.ts'
import { systemClock } from '../../../shared/kernel/clock.ts'
import { parseEnvironment } from '../../../shared/platform/process/environment.ts'
import { openServices } from '../../../shared/services/services.ts'
import type { Services } from '../../../shared/services/wire-services.ts'
import { operator, someHash } from '../accounts/account-fixture.ts'
import { silentLog } from '../time/silent-log.ts'

const starterGroups = fileURLToPath(new URL('../../../resources/starter/groups.yaml', import.meta.url))

/** Generates the square of columns around 0,0. */
const settle = async ({ chunks, configs }: Services, world: WorldRecord, radius: number): Promise<void> => {
  const registry = registryOf(configs.get('blocks.yaml'))
  const { generator: version, seed, settings } = world
  const generator = createGenerator({ version, seed, settings, registry })
  const records = []
  for (let cx = -radius; cx <= radius; cx += 1)
    for (let cz = -radius; cz <= radius; cz += 1)
      records.push({ cx, cz, bytes: encodeChunk(generator.generate(cx, cz), registry) })
  await chunks.putMany(world, records, 0)
}

/** Records enough changes to fill a page of the history, and a few more. */
const noteChanges = async ({ chunks }: Services, world: WorldRecord, batches: readonly number[]): Promise<void> => {
  const limits = () => ({ enabled: true, days: 30, maxMiB: 16 })
  const book = await openHistoryBook({ chunks, world, limits, clock: systemClock })
  for (const count of batches) {
    const changes = Array.from({ length: count }, (_, n) => ({
      x: n,
      y: count % 60,
      z: -n,
      by: `player ${n % 3}`,
      via: 'game' as const,
      from: 'air',
      to: 'stone',
    }))
    await chunks.putMany(world, [], 0, await book.note(changes))
    book.settle(true)
  }
}

const addAccounts = async ({ accountStore }: Services, count: number): Promise<void> => {
  for (let n = 0; n < count; n += 1) {
    const email = `player${n}@example.com`
    const next = {
      email,
      playerId: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
      displayName: n === 3 ? 'Ünïcode 🐉' : `player ${n}`,
      ...(n % 2 === 0 ? { passwordHash: someHash } : { subject: `https://issuer.example.com|${n}` }),
      groups: ['player', 'builder'].slice(0, 1 + (n % 2)),
      ...(n % 2 === 1 && { mappedGroups: ['builder'], claimedGroups: ['staff', 'builders'] }),
      createdAt: `2025-12-01T00:00:${String(n).padStart(2, '0')}.000Z`,
    }
    await accountStore.change(email, () => ({ next, result: undefined }))
  }
}

const editConfigs = async ({ configFiles }: Services, dataDir: string, saves: number): Promise<void> => {
  for (let port = 1; port <= saves; port += 1)
    await configFiles.write('server.yaml', `# revision ${port} — ä\r\nauth: { local: { bcryptCost: 10 } }\n`, {
      savedBy: `admin${port}@example.com`,
    })
  await configFiles.write('blocks.yaml', `# of the editor\n${(await configFiles.read('blocks.yaml')).text}`, {
    savedBy: 'a@example.com',
  })
  // Saved twice and deleted again: the bundled text is active, with revisions.
  for (const n of [1, 2])
    await configFiles.write('classes.yaml', `# ${n}\n${(await configFiles.read('classes.yaml')).text}`, {
      savedBy: 'c@example.com',
    })
  await rm(join(dataDir, 'config', 'classes.yaml'))
  // By hand, while the server runs, over a saved text.
  await writeFile(join(dataDir, 'config', 'blocks.yaml'), `\ufeff# by hand\n${(await configFiles.read('blocks.yaml')).text}`)
}

/** The number of records of each kind. Every record costs a migration some requests. */
export type HouseSize = { readonly radius: number; readonly players: number; readonly saves: number }

/** Fills a data folder with all durable data: accounts, configs with revisions, two worlds, zones, players and the audit log. */
export const furnishHouse = async (dataDir: string, { radius, players, saves }: HouseSize): Promise<void> => {
  await mkdir(join(dataDir, 'config'), { recursive: true })
  await cp(starterGroups, join(dataDir, 'config', 'groups.yaml'))
  await writeFile(join(dataDir, 'config', 'users.yaml'), '# who may come in\nusers: []\n')
  const services = await openServices(parseEnvironment({ DATA_DIR: dataDir }, 'task'), silentLog)
  const { apiTokens, worlds, zones, store, chunks } = services
  try {
    const flat = await worlds.createWorld({ name: 'default', generator: 'flat-1', seed: 7 }, operator)
    const hills = await worlds.createWorld({ name: 'Hills_2', generator: 'terrain-1', seed: 'hello' }, operator)
    await settle(services, flat, radius)
    await settle(services, hills, 1)
    // More records than a migration reads at once.
    await noteChanges(services, flat, [...Array.from({ length: 40 }, () => 1024), 3])
    await noteChanges(services, hills, [2])
    await chunks.putMany(hills, [{ cx: 40, cz: -40, bytes: Buffer.from('rubbish') }], 0)
    await chunks.setAside(hills, { cx: 40, cz: -40 }, 0)
    await chunks.putMany(hills, [{ cx: 40, cz: -40, bytes: Buffer.from('rubbish again') }], 0)
    await chunks.setAside(hills, { cx: 40, cz: -40 }, 0)
    for (let n = 0; n < 3; n += 1) {
      const { zone } = await zones.createZone(operator, {
        name: `zone ${n}`,
        yMin: n * 10,
        yMax: n * 10 + 5,
        chunks: [{ cx: 0, cz: n - 1 }],
      })
      await zones.changeZone(operator, zone.id, { enabled: n !== 1 })
    }
    const gone = await zones.createZone(operator, { name: 'gone', yMin: 90, yMax: 99, chunks: [{ cx: 1, cz: 1 }] })
    await zones.removeZone(operator, gone.zone.id)
    for (let n = 0; n < players; n += 1) {
      const playerId = `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
      await store.put(playerStates, playerId, { disabledBySelf: ['tp'], disabledByOthers: n % 2 ? ['say'] : [] })
      await store.put(modulePlayers, playerDataId('shop', playerId), { version: 2, value: { coins: n } })
      await store.put(moduleRecords, recordId('shop', 'sales', `${n}`), { version: 1, value: { item: 'ä', by: playerId } })
      await store.put(savedPositions, savedPositionId(flat.id, playerId), { x: n + 0.5, y: 64, z: -n / 3, yaw: 10, pitch: -5 })
    }
    await store.put(moduleStates, stateId('shop', flat.id), { version: 1, value: { sold: 7 } })
    await addAccounts(services, players)
    const change = { playerId: '00000000-0000-4000-8000-000000000000', actor: operator, target: 'player0@example.com' }
    await apiTokens.create(change, { name: 'nightly backup', permissions: ['admin.backups.*'] })
    const ended = await apiTokens.create(change, { name: 'old', permissions: ['*'] })
    await apiTokens.end(change, ended.created.id)
    await editConfigs(services, dataDir, saves)
  } finally {
    await services.close()
  }
}
