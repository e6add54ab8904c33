import { createOperator } from '../../../realtime/commands/executor/operator.ts'
import { registryOf } from '../../../shared/domain/worlds/chunks/block-registry.ts'
import { encodeChunk } from '../../../shared/domain/worlds/chunks/compress-chunk.ts'
import { parseEnvironment } from '../../../shared/platform/process/environment.ts'
import { createChunk } from '../../../shared/rules/chunks/chunk.ts'
import { openServices } from '../../../shared/services/services.ts'
import { silentLog } from '../time/silent-log.ts'

/** Writes an account, a column of a world and a backup into the data folder of the arguments, and prints its contents. */
const use = async (folder: string, email: string, cx: number): Promise<void> => {
  const services = await openServices(parseEnvironment({ DATA_DIR: folder, HOME: folder }, 'all'), silentLog)
  await services.accounts.createAccount(createOperator('test'), { email })
  const world = await services.worlds.ensureActive()
  const bytes = encodeChunk(createChunk(cx, 0), registryOf(services.configs.get('blocks.yaml')))
  await services.chunks.putMany(world, [{ cx, cz: 0, bytes }], 1)
  await services.backups?.create({ signal: new AbortController().signal, tell: () => undefined })
  const users = (await services.accountStore.listAccounts({ limit: 10 })).accounts.map((account) => account.email)
  const { chunkCount } = await services.chunks.stats(world)
  process.stdout.write(JSON.stringify({ users, chunkCount, backups: (await services.backups?.list())?.length }))
  await services.close()
}

const [folder = '', email = '', cx = ''] = process.argv.slice(2)
export const main = use(folder, email, Number(cx))
