import { join } from 'node:path'
import { acquireLease } from '../../../shared/domain/worlds/leases/acquire-lease.ts'
import { systemClock } from '../../../shared/kernel/clock.ts'
import { systemIds } from '../../../shared/kernel/ids.ts'
import { readLeaseHolder } from '../../../shared/platform/process/lease-holder.ts'
import { createLmdbStore } from '../../../shared/platform/storage/lmdb/lmdb-store.ts'
import { silentLog } from '../time/silent-log.ts'

/**
 * `<dataDir> <name>`: takes the lease of the world `default`, prints its fence or the refusal, and keeps it until its input ends.
 */
const run = async (): Promise<void> => {
  const [dataDir = '', name = ''] = process.argv.slice(2)
  const store = createLmdbStore({ path: join(dataDir, 'records'), ids: systemIds })
  try {
    const lease = await acquireLease({
      store,
      clock: systemClock,
      ids: systemIds,
      log: silentLog,
      worldName: 'default',
      lockPath: join(dataDir, 'worlds', 'default.lease'),
      holder: { ...(await readLeaseHolder(dataDir)), name },
    })
    process.stdout.write(`fence ${lease.fence}\n`)
    await new Promise((resolve) => process.stdin.once('end', resolve).resume())
    await lease.release()
  } catch (error) {
    process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`)
  }
  await store.close()
}

export const main = run()
