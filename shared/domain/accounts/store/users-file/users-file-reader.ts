import { type FileHandle, open } from 'node:fs/promises'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../../../kernel/clock.ts'
import { AppError } from '../../../../kernel/errors.ts'
import type { Log } from '../../../../kernel/log.ts'
import { fileVersion, fileVersionNow, openFileVersion } from '../../../../platform/storage/files/atomic-file.ts'
import { codeOf } from '../../../../platform/storage/files/code-of.ts'
import { createUsersDocumentReader, type UsersDocumentReader } from './users-document-reader.ts'
import { readUsersFile, type UsersFile } from './users-file.ts'
import { accountsUnreadable, UsersFileFault } from './users-file-fault.ts'

/** The file at the path as read: its accounts or a fault. `version` is undefined if another program edited the file right after our write. */
export type UsersSnapshot = {
  readonly version: string | undefined
  /** From this time on the version alone does not prove that nothing changed; milliseconds of the monotonic clock. */
  readonly doubtfulFrom?: number
} & ({ readonly file: UsersFile; readonly fault?: undefined } | { readonly file?: undefined; readonly fault: UsersFileFault })

/**
 * Modification times have a resolution of a few milliseconds. Text of the same length, written in place at the moment of our read or
 * write, has the same version. One more read after this time detects it.
 */
export const doubtfulAfterMs = 50

/** How long parsing may block the thread in one stretch, in milliseconds. */
const stretchMs = 5
/** Time for an editor that empties or moves the file before it writes it again. */
const settleMs = 200

/** A pause that yields the thread after a few milliseconds of work. */
export const createPause = (clock: Clock): (() => Promise<void> | undefined) => {
  let since = clock.monotonic()
  return () => {
    if (clock.monotonic() - since < stretchMs) return undefined
    return nextTurn().then(() => {
      since = clock.monotonic()
    })
  }
}

const notOpened = (cause: unknown): never => {
  throw new AppError('unavailable', 'service-unavailable', 'The accounts file cannot be opened.', { cause })
}

/** The version of a file that does not exist. */
export const absent = 'absent'

/** The version of the file at `path`, `absent` if it does not exist; throws AppError `unavailable`. */
export const usersFileVersion = async (path: string): Promise<string> => (await fileVersion(path).catch(notOpened)) ?? absent

/** Synchronous, for a file that was read a moment ago. */
export const usersFileVersionNow = (path: string): string => {
  try {
    return fileVersionNow(path) ?? absent
  } catch (cause) {
    return notOpened(cause)
  }
}

type FoundBytes = { readonly version: string; readonly bytes: Buffer }

/** More writes than an editor makes in a row. */
const triesMax = 100

const openToRead = (path: string): Promise<FileHandle | undefined> =>
  open(path, 'r').catch((error: unknown) => (codeOf(error) === 'ENOENT' ? undefined : notOpened(error)))

/** The content of an open file with its version; undefined if it changed during the read. */
const readOpen = async (file: FileHandle): Promise<FoundBytes | undefined> => {
  const { version, size } = openFileVersion(file)
  // Read one byte more than the size, to detect a file that has grown.
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(size + 1), 0, size + 1, 0)
  const isWhole = bytesRead === size && openFileVersion(file).version === version
  return isWhole ? { version, bytes: buffer.subarray(0, size) } : undefined
}

/** Bytes and the version that they belong to. */
const readStable = async (path: string): Promise<FoundBytes> => {
  for (let read = 0; read < triesMax; read += 1) {
    const file = await openToRead(path)
    if (file === undefined) return { version: absent, bytes: Buffer.alloc(0) }
    try {
      const found = await readOpen(file).catch(notOpened)
      if (found !== undefined) return found
    } finally {
      // Not awaited: nothing depends on the result.
      file.close().catch(() => undefined)
    }
  }
  return notOpened(new Error('the file changes at every read'))
}

const decode = (bytes: Buffer): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new UsersFileFault({ summary: 'is not UTF-8' })
  }
}

export type UsersFileReader = {
  /**
   * The current content of the file. Parses only accounts that `last` does not have, and
   * nothing if `findOwn` returns the file of these bytes. Throws AppError `unavailable` if the file cannot be opened.
   */
  read(last: UsersSnapshot | undefined, findOwn?: (bytes: Buffer) => UsersFile | undefined): Promise<UsersSnapshot>
  /** The file of `snapshot`; throws `accounts-unreadable` if the snapshot is a fault. */
  expectFile(snapshot: UsersSnapshot): UsersFile
  /** The result of `UsersFile.findWarnings`, cached for each state of the file. */
  warningsOf(file: UsersFile): Promise<readonly string[]>
  readonly documents: UsersDocumentReader
  /** Resolves when nothing runs. */
  close(): Promise<void>
}

/** Reads the users file at `path`. Logs each unreadable version once with the exact fault, and each new warning about its accounts. */
export const createUsersFileReader = ({
  path,
  clock,
  log,
}: {
  readonly path: string
  readonly clock: Clock
  readonly log: Log
}): UsersFileReader => {
  const documents = createUsersDocumentReader()
  let logged: string | undefined
  /** The last unreadable content: finding its fault may take long. */
  let faulty: { readonly bytes: Buffer; readonly fault: UsersFileFault } | undefined

  /** A version is doubtful if this is its first read, or if the read before it is too recent. */
  const doubtOf = (version: string | undefined, last: UsersSnapshot | undefined): Pick<UsersSnapshot, 'doubtfulFrom'> => {
    const now = clock.monotonic()
    const doubtfulFrom = last !== undefined && last.version === version ? last.doubtfulFrom : now + doubtfulAfterMs
    return doubtfulFrom !== undefined && doubtfulFrom > now ? { doubtfulFrom } : {}
  }

  const parse: (found: FoundBytes, ...args: Parameters<UsersFileReader['read']>) => Promise<UsersSnapshot> = async (
    { version, bytes },
    last,
    findOwn,
  ) => {
    const found = { version, ...doubtOf(version, last) }
    const known = last?.file?.bytes.equals(bytes) ? last.file : findOwn?.(bytes)
    if (known) return { ...found, file: known }
    if (faulty?.bytes.equals(bytes)) return { ...found, fault: faulty.fault }
    try {
      const file = await readUsersFile(decode(bytes), { previous: last?.file, pause: createPause(clock), documents })
      faulty = undefined
      return { ...found, file }
    } catch (fault) {
      if (!(fault instanceof UsersFileFault)) throw fault
      faulty = { bytes, fault }
      return { ...found, fault }
    }
  }

  let warned: { readonly file: UsersFile; readonly warnings: Promise<readonly string[]> } | undefined
  const warningsOf = (file: UsersFile): Promise<readonly string[]> => {
    if (warned?.file !== file) warned = { file, warnings: file.findWarnings(createPause(clock)) }
    return warned.warnings
  }

  let loggedWarnings: readonly string[] = []
  /** The newest file whose warnings have not been logged yet. */
  let unwarned: UsersFile | undefined
  let warning: Promise<void> | undefined
  const logWarnings = async (): Promise<void> => {
    for (let file = unwarned; file !== undefined; file = unwarned) {
      unwarned = undefined
      const warnings = await warningsOf(file)
      for (const text of warnings)
        if (!loggedWarnings.includes(text)) log.warn({ path, warning: text }, 'an account in the accounts file needs attention')
      loggedWarnings = warnings
    }
    warning = undefined
  }
  /** Reads of accounts do not wait for it. */
  const warnOf = (snapshot: UsersSnapshot, last: UsersSnapshot | undefined): UsersSnapshot => {
    if (snapshot.file === undefined || snapshot.file === last?.file) return snapshot
    unwarned = snapshot.file
    warning ??= logWarnings()
    return snapshot
  }

  return {
    documents,
    warningsOf,
    close: async () => {
      await warning
      await documents.close()
    },
    read: async (last, findOwn) => {
      let found = await readStable(path)
      if (found.bytes.length === 0 && last?.file && last.file.index.byEmail.size > 0) {
        await sleep(settleMs)
        found = await readStable(path)
      }
      const snapshot = await parse(found, last, findOwn)
      if (snapshot.fault && logged !== found.version) {
        logged = found.version
        const { message, line, column } = snapshot.fault
        log.error({ path, fault: message, line, column }, 'cannot read the accounts file; sign-ins are refused until you fix it')
      }
      return warnOf(snapshot, last)
    },
    expectFile: ({ file, fault }) => {
      if (file) return file
      throw accountsUnreadable(fault)
    },
  }
}
