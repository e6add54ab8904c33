import { Type } from '@sinclair/typebox'
import { configNames } from '../../../shared/domain/configs/catalogue.ts'
import { listChanges } from '../../../shared/domain/history/find-changes.ts'
import { modulePlayers, moduleRecords, moduleStates } from '../../../shared/domain/modules/data/module-data.ts'
import { playerStates, savedPositions } from '../../../shared/domain/players/player-state.ts'
import { type WorldRecord, worldRecords } from '../../../shared/domain/worlds/world.ts'
import { zoneCounts } from '../../../shared/domain/zones/zone-counts.ts'
import { parseEnvironment, type RawEnvironment } from '../../../shared/platform/process/environment.ts'
import { createCollection } from '../../../shared/platform/storage/store.ts'
import { openServices } from '../../../shared/services/services.ts'
import type { Services } from '../../../shared/services/wire-services.ts'
import { sha256Of } from '../../../tools/migrate/parts/part.ts'
import { silentLog } from '../time/silent-log.ts'

const readAccounts = async ({ accountStore }: Services) => {
  const { accounts } = await accountStore.listAccounts({ limit: 200 })
  const found = accounts.map(async (account) => ({
    account,
    byPlayerId: (await accountStore.findByPlayerId(account.playerId))?.email,
    bySubject: account.subject && (await accountStore.findBySubject(account.subject))?.email,
  }))
  return Promise.all(found)
}

const readConfigs = async ({ configFiles }: Services) => {
  const configs: Record<string, unknown> = {}
  for (const name of configNames) {
    const { text, source } = await configFiles.read(name)
    const revisions = await configFiles.revisions(name)
    const texts = await Promise.all(revisions.map(({ revision }) => configFiles.findRevision(name, revision)))
    configs[name] = { text, source, revisions, texts }
  }
  return configs
}

/** The tokens, and the raw records with their hashes. */
const readTokens = async ({ apiTokens, store }: Services) => ({
  tokens: await apiTokens.listAll(),
  hashes: (await store.list(createCollection('api-tokens', Type.Unknown()))).records.map(({ id }) => id),
})

const readAudit = async ({ audit }: Services) => ({
  all: (await audit.listEntries({ limit: 200 })).entries,
  ofOperator: (await audit.listEntries({ limit: 200, actor: 'operator' })).entries.length,
})

const readHistory = async ({ chunks }: Services, world: WorldRecord) => {
  const { changes: newest } = await listChanges(chunks, world, { filter: {}, limit: 3 })
  // There are tens of thousands of changes, so their pages are compared without decoding them.
  const pages = await chunks.listSide(world, 'history/page/')
  return { newest, count: pages.length, pages: pages.map(({ key, bytes }) => `${key} ${sha256Of(bytes)}`) }
}

const readChunks = async (services: Services) => {
  const { store, chunks } = services
  const worlds: Record<string, unknown> = {}
  for (const { value: world } of (await store.list(worldRecords)).records) {
    const columns: Record<string, string> = {}
    for await (const { cx, czs } of chunks.discovered(world)) {
      const row = Array.from(czs, (cz) => ({ cx, cz }))
      const found = await chunks.getMany(world, row)
      for (const [at, { cz }] of row.entries()) columns[`${cx},${cz}`] = Buffer.from(found[at] ?? []).toString('base64')
    }
    const aside: string[] = []
    for await (const { cx, cz, bytes } of chunks.listSetAside(world)) aside.push(`${cx},${cz} ${Buffer.from(bytes)}`)
    const { chunkCount } = await chunks.stats(world)
    const history = await readHistory(services, world)
    worlds[world.name] = { world, columns, aside: aside.sort(), chunkCount, history }
  }
  return worlds
}

/** Reads all durable data through the ports of the server, independently of the checksums of the migration. */
export const readHouse = async (environment: RawEnvironment) => {
  const services = await openServices(parseEnvironment(environment, 'task'), silentLog)
  const { store, zones } = services
  const valuesOf = async (collection: Parameters<typeof store.list>[0]) =>
    (await store.list(collection)).records.map(({ id, value }) => ({ id, value }))
  try {
    return {
      accounts: await readAccounts(services),
      configs: await readConfigs(services),
      zones: await zones.listZones(),
      guards: await valuesOf(zoneCounts),
      states: await valuesOf(playerStates),
      places: await valuesOf(savedPositions),
      moduleRecords: await valuesOf(moduleRecords),
      modulePlayers: await valuesOf(modulePlayers),
      moduleStates: await valuesOf(moduleStates),
      apiTokens: await readTokens(services),
      audit: await readAudit(services),
      worlds: await readChunks(services),
    }
  } finally {
    await services.close()
  }
}
