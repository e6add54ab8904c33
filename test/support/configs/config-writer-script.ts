import { resolve } from 'node:path'
import { createEmbeddedConfigFiles } from '../../../shared/domain/configs/texts/embedded/config-files-embedded.ts'
import { systemClock } from '../../../shared/kernel/clock.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { systemIds } from '../../../shared/kernel/ids.ts'
import { resourcePath } from '../../../shared/platform/storage/files/resource-path.ts'
import { createLmdbStore } from '../../../shared/platform/storage/lmdb/lmdb-store.ts'

/**
 * `save <data> <label>`: saves text after text without end, and prints the number of each once it is confirmed.
 * `race <data> <label> <times>`: saves with the current tag, that often, and prints the number of stale saves.
 * `full <data> <records> <bytes>`: saves once, and prints slug and public detail of the refusal.
 * `forbidden`: saves as an unprivileged user if run as root.
 */
const run = async (): Promise<void> => {
  const [mode, dataDir = '', label = '', argument = ''] = process.argv.slice(2)
  const name = 'groups.yaml'
  const say = (line: string): void => {
    process.stdout.write(`${line}\n`)
  }

  const open = (records = resolve(dataDir, 'records')) => {
    const store = createLmdbStore({ path: records, ids: systemIds })
    const bundledDir = resourcePath('config')
    return { store, files: createEmbeddedConfigFiles({ dataDir, bundledDir, store, clock: systemClock, ids: systemIds }) }
  }
  /** Long enough to reveal a half-written text. */
  const textOf = (n: number): string => `${label} ${n}\n`.repeat(5000)

  if (mode === 'save') {
    const { files } = open()
    for (let n = 1; ; n += 1) {
      await files.write(name, textOf(n), { savedBy: label })
      say(String(n))
    }
  } else if (mode === 'race') {
    const { files, store } = open()
    let stale = 0
    for (let n = 1; n <= Number(argument); n += 1) {
      const { etag } = await files.read(name)
      await files.write(name, textOf(n), { savedBy: label, ifEtag: etag }).catch((error: unknown) => {
        if (!(error instanceof AppError) || error.kind !== 'stale') throw error
        stale += 1
      })
    }
    say(String(stale))
    await store.close()
  } else {
    const { files, store } = open(label)
    if (mode === 'forbidden' && process.getuid?.() === 0) process.setuid?.(65_534)
    const answer = await files.write(name, '#'.repeat(Number(argument)), { savedBy: 'x' }).catch((error: unknown) => error)
    say(answer instanceof AppError ? `${answer.slug}: ${answer.publicDetail}` : `not refused: ${JSON.stringify(answer)}`)
    await store.close()
  }
}

export const main = run()
