import { createThreadPool, type ThreadPool } from '../../../../kernel/thread-pool.ts'
import { moduleBeside } from '../../../../platform/process/module-beside.ts'
import { codeOf } from '../../../../platform/storage/files/code-of.ts'
import type { Account } from '../../account.ts'
import type { DocumentAnswer } from './users-document-worker.ts'
import { type ReadAccounts, readUsersDocument } from './users-file-document.ts'
import { UsersFileFault } from './users-file-fault.ts'

/** Parses whole users files as YAML without blocking the event loop. */
export type UsersDocumentReader = {
  /** The result of `readUsersDocument`; throws the same errors. `pause` is called between batches of a few hundred accounts. */
  read(text: string, pause?: () => Promise<void> | undefined): Promise<ReadAccounts>
  /** Stops the thread, with any read in progress, and resolves when it has ended. */
  close(): Promise<void>
}

/** Longer texts, of about 70 accounts, are read in a thread. */
const inlineLengthMax = 16 * 1024

const parseList = (list: string): readonly Account[] => JSON.parse(list)

const createPool = (): ThreadPool<string> =>
  createThreadPool({
    module: moduleBeside('users-document-worker', import.meta.url),
    name: 'runDocumentJob',
    maxThreads: 1,
  })

/** The thread starts with the first long text and runs until `close`. */
export const createUsersDocumentReader = (): UsersDocumentReader => {
  let pool: ThreadPool<string> | undefined

  const ask = async (text: string): Promise<DocumentAnswer> => {
    pool ??= createPool()
    try {
      return await pool.run<DocumentAnswer>(text)
    } catch (error) {
      if (codeOf(error) !== 'ERR_WORKER_OUT_OF_MEMORY') throw error
      throw new UsersFileFault({ summary: 'needs more memory to parse in this style than is available' })
    }
  }

  return {
    read: async (text, pause) => {
      if (text.length <= inlineLengthMax) return readUsersDocument(text)
      const answer = await ask(text)
      if (answer.fault) {
        const { line, column, ...said } = answer.fault
        throw new UsersFileFault({ ...said, ...(line !== undefined && { line }), ...(column !== undefined && { column }) })
      }
      const accounts: Account[] = []
      for (const list of answer.lists) {
        accounts.push(...parseList(list))
        await pause?.()
      }
      return { accounts, warnings: answer.warnings }
    },
    close: async () => {
      await pool?.close()
    },
  }
}
