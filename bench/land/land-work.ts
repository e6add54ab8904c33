import { cp, mkdtemp, open, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createBackups } from '../../shared/domain/backups/files/create-backups.ts'
import type { MadeChange } from '../../shared/domain/history/block-change.ts'
import { openHistoryBook } from '../../shared/domain/history/history-book.ts'
import { isOver } from '../../shared/domain/jobs/job.ts'
import type { JobProgress } from '../../shared/domain/jobs/job-kind.ts'
import { operatorActor } from '../../shared/domain/jobs/job-service.ts'
import { rollbackJob } from '../../shared/domain/jobs/rollback.ts'
import { registryOf } from '../../shared/domain/worlds/chunks/block-registry.ts'
import { encodeChunk } from '../../shared/domain/worlds/chunks/encode-chunk.ts'
import { createGenerator } from '../../shared/domain/worlds/generation/generators.ts'
import { setBlock } from '../../shared/rules/chunks/chunk.ts'
import { chunkBlocks } from '../../shared/rules/positions.ts'
import type { Services } from '../../shared/services/services.ts'

export type LandWork = 'rollback' | 'backup'

/** `amount` is in blocks or bytes; `copiedMs` is the time without verification, `referenceMs` the time of the plain way. */
export type LandDone = {
  readonly state: string
  readonly ms: number
  readonly copiedMs: number
  readonly amount: number
  readonly referenceMs: number
}

const griefer = '3f8f6a52-7c1d-4a57-9a0e-5d6f0c1b2a39'
/** 40 columns of 30 layers: 307,200 blocks, above the heads of walkers. */
const griefed = { minCx: -4, maxCx: 3, minCz: -2, maxCz: 2, minY: 70, maxY: 99 }
const changesAtOnce = 1024
/** Columns of terrain next to the level ground: 10,000. */
const terrainSide = 100
const terrainFrom = 2000

const generatorOf = async ({ worlds, configs }: Services, version?: string) => {
  const world = await worlds.ensureActive()
  const registry = registryOf(configs.get('blocks.yaml'))
  const settings = version === undefined ? world.settings : {}
  return { world, registry, ...createGenerator({ version: version ?? world.generator, seed: world.seed, settings, registry }) }
}

/** Fills the air with planks, in history and blocks. */
const grief = async (services: Services): Promise<void> => {
  const { world, registry, generate } = await generatorOf(services)
  const limits = () => ({ enabled: true, days: 30, maxMiB: 1024 })
  const book = await openHistoryBook({ chunks: services.chunks, world, limits, clock: services.clock })
  const planks = registry.find('planks')?.index
  if (planks === undefined) throw new Error('there are planks')
  for (let cx = griefed.minCx; cx <= griefed.maxCx; cx += 1)
    for (let cz = griefed.minCz; cz <= griefed.maxCz; cz += 1) {
      const chunk = generate(cx, cz)
      const changes: MadeChange[] = []
      for (let y = griefed.minY; y <= griefed.maxY; y += 1)
        for (let at = 0; at < chunkBlocks ** 2; at += 1) {
          const [x, z] = [cx * chunkBlocks + (at % chunkBlocks), cz * chunkBlocks + Math.floor(at / chunkBlocks)]
          setBlock(chunk, { x, y, z }, planks)
          changes.push({ x, y, z, by: griefer, via: 'game', from: 'air', to: 'planks' })
        }
      const record = { cx, cz, bytes: encodeChunk(chunk, registry) }
      for (let from = 0; from < changes.length; from += changesAtOnce) {
        const beside = await book.note(changes.slice(from, from + changesAtOnce))
        await services.chunks.putMany(world, [record], 0, beside)
        book.settle(true)
      }
    }
}

const addTerrain = async (services: Services): Promise<void> => {
  const { world, registry, generate } = await generatorOf(services, 'terrain-1')
  for (let row = 0; row < terrainSide; row += 1) {
    const cx = terrainFrom + row
    const cells = Array.from({ length: terrainSide }, (_, cz) => ({ cx, cz, bytes: encodeChunk(generate(cx, cz), registry) }))
    await services.chunks.putMany(world, cells, 0)
  }
}

/** Runs before the node runs the world. */
export const prepareLand = (services: Services, work: LandWork): Promise<void> =>
  work === 'rollback' ? grief(services) : addTerrain(services)

const rollBack = async ({ jobs, worlds, clock }: Services): Promise<LandDone> => {
  const startedMs = performance.now()
  const input = { by: griefer, since: 0, until: clock.now() }
  let job = await jobs.start(operatorActor('bench'), rollbackJob(await worlds.getWorld(), input))
  while (!isOver(job)) {
    await pause(50)
    job = await jobs.getJob(job.id)
  }
  const blocks = Number(Object(job.result).blocks)
  const ms = performance.now() - startedMs
  return { state: job.state, ms, copiedMs: ms, amount: blocks, referenceMs: 0 }
}

/** Copies the same folders plainly and durably. */
const copyPlainly = async (from: string, to: string): Promise<void> => {
  await cp(from, to, { recursive: true })
  for (const name of await readdir(to, { recursive: true })) {
    const file = await open(join(to, name), 'r')
    await file.sync()
    await file.close()
  }
}

const backUp = async ({ clock, ids }: Services, dataDir: string): Promise<LandDone> => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bench-backup-'))
  try {
    const backups = createBackups({ dataDir, backupDir: join(folder, 'ours'), clock, ids })
    const startedMs = performance.now()
    let copiedMs = 0
    const tell = ({ progress = 0 }: JobProgress): void => {
      // Said twice: when it begins, and when all is copied and is to be read back.
      if (progress <= 0.5) copiedMs = performance.now() - startedMs
    }
    const { sizeBytes } = await backups.create({ signal: new AbortController().signal, tell })
    const ms = performance.now() - startedMs
    const plainFromMs = performance.now()
    await copyPlainly(join(dataDir, 'worlds'), join(folder, 'plain', 'worlds'))
    await copyPlainly(join(dataDir, 'records'), join(folder, 'plain', 'records'))
    return { state: 'done', ms, copiedMs, amount: sizeBytes, referenceMs: performance.now() - plainFromMs }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export const workOnLand = (services: Services, work: LandWork, dataDir: string): Promise<LandDone> =>
  work === 'rollback' ? rollBack(services) : backUp(services, dataDir)
