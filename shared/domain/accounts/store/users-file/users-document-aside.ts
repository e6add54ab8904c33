import { createThreadPool, type ThreadPool } from '../../../../kernel/thread-pool.ts'
import { moduleBeside } from '../../../../platform/process/module-beside.ts'
import { codeOf } from '../../../../platform/storage/files/code-of.ts'
import type { Account } from '../../account.ts'
import type { DocumentAnswer } from './users-document-worker.ts'
import { type ReadAccounts, readUsersDocument } from './users-file-document.ts'
import { UsersFileFault } from './users-file-fault.ts'

/** Reads whole users files through the YAML parser while the event loop goes on. */
export type UsersDocumentReader = {
  /** What `readUsersDocument` finds; throws what that throws. `pause` is called between some hundreds of them. */
  read(text: string, pause?: () => Promise<void> | undefined): Promise<ReadAccounts>
  /** Resolves once the thread is gone; what it reads just then is given up. */
  close(): Promise<void>
}

/** Longer texts, of some seventy accounts, are read in a thread. */
const inlineLengthMax = 16 * 1024

const parseList = (list: string): readonly Account[] => JSON.parse(list)

const createPool = (): ThreadPool<string> =>
  createThreadPool({
    module: moduleBeside('users-document-worker', import.meta.url),
    name: 'runDocumentJob',
    maxThreads: 1,
  })

/** The thread starts with the first text that is long, and ends with it. */
export const createUsersDocumentReader = (): UsersDocumentReader => {
  let pool: ThreadPool<string> | undefined

  const ask = async (text: string): Promise<DocumentAnswer> => {
    pool ??= createPool()
    try {
      return await pool.run<DocumentAnswer>(text)
    } catch (error) {
      if (codeOf(error) !== 'ERR_WORKER_OUT_OF_MEMORY') throw error
      throw new UsersFileFault({ summary: 'takes more memory to read in this style, or to say what is wrong, than there is' })
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
