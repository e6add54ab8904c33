import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parse } from 'yaml'
import { configNames } from '../../shared/domain/configs/catalogue.ts'
import { createConfigHolder } from '../../shared/domain/configs/in-force/config-holder.ts'
import { createEmbeddedConfigFiles } from '../../shared/domain/configs/texts/embedded/config-files-embedded.ts'
import { systemClock } from '../../shared/kernel/clock.ts'
import { systemIds } from '../../shared/kernel/ids.ts'
import { createMemoryStore } from '../../shared/platform/storage/memory-store.ts'

/** In a new process, reads every shipped config. Argument: `gatehouse`, or `yaml` for the library alone on the same texts. */
const root = resolve(import.meta.dirname, '../..')
const [dataDir, bundledDir] = [resolve(root, 'data'), resolve(root, 'resources/config')]

const readAll = async (): Promise<unknown> => {
  const store = createMemoryStore()
  const files = createEmbeddedConfigFiles({ dataDir, bundledDir, store, clock: systemClock, ids: systemIds })
  return createConfigHolder({ files, findUnsafe: () => [] })
}

const parseAll = async (): Promise<void> => {
  for (const name of configNames) {
    const own = await readFile(resolve(dataDir, 'config', name), 'utf8').catch(() => undefined)
    parse(own ?? (await readFile(resolve(bundledDir, name), 'utf8')))
  }
}

const startedAt = performance.now()
await (process.argv[2] === 'yaml' ? parseAll() : readAll())
process.send?.({ ms: performance.now() - startedAt })
process.disconnect()
