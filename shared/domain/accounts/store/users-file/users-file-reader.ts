import { closeSync, openSync, readSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../../../kernel/clock.ts'
import { AppError } from '../../../../kernel/errors.ts'
import type { Log } from '../../../../kernel/log.ts'
import { fileVersion, fileVersionNow, openFileVersion } from '../../../../platform/storage/files/atomic-file.ts'
import { codeOf } from '../../../../platform/storage/files/code-of.ts'
import { createUsersDocumentReader, type UsersDocumentReader } from './users-document-aside.ts'
import { readUsersFile, rereadUsersFile, type UsersFile } from './users-file.ts'
import { findDifference, isJoined, lengthOf, type UsersDifference } from './users-file-difference.ts'
import { accountsUnreadable, UsersFileFault } from './users-file-fault.ts'

/** What was found at the path: a good file or a fault. `version` is undefined for what was just written and changed by somebody at once. */
export type UsersSnapshot = {
  readonly version: string | undefined
  /** From when on the version alone does not tell that nothing changed, in milliseconds of the monotonic clock. */
  readonly doubtfulFrom?: number
} & ({ readonly file: UsersFile; readonly fault?: undefined } | { readonly file?: undefined; readonly fault: UsersFileFault })

/**
 * Dates of files move every few milliseconds. A text written in place, as long as the one before, in the very moment of a read or write of ours, has the same version. This much later it is read once more, which tells.
 */
export const doubtfulAfterMs = 50

/** How long parsing may hold the thread at a stretch, in milliseconds. */
const stretchMs = 5
/** An editor that empties a file, or moves it aside, before it writes it again is given this long. */
const settleMs = 200

/** A pause that hands the thread to whoever waits for it once it was held for a few milliseconds. */
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

/** The version where there is no file. */
export const absent = 'absent'

/** The version of the file at `path`, `absent` when there is none; throws AppError `unavailable`. */
export const usersFileVersion = async (path: string): Promise<string> => (await fileVersion(path).catch(notOpened)) ?? absent

/** The same synchronously, for a file that was read a moment ago. */
export const usersFileVersionNow = (path: string): string => {
  try {
    return fileVersionNow(path) ?? absent
  } catch (cause) {
    return notOpened(cause)
  }
}

type FoundBytes = { readonly version: string; readonly bytes: Buffer }

/** More than an editor writes at a time. */
const triesMax = 100

const openToRead = (path: string): Promise<FileHandle | undefined> =>
  open(path, 'r').catch((error: unknown) => (codeOf(error) === 'ENOENT' ? undefined : notOpened(error)))

/** What is in an open file, with its version; undefined where it changed meanwhile. */
const readOpen = async (file: FileHandle): Promise<FoundBytes | undefined> => {
  const { version, size } = openFileVersion(file)
  // A byte more than there is: what is longer by then has another version, and what is shorter too.
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
      // Nobody waits for it: nothing depends on how it ends.
      file.close().catch(() => undefined)
    }
  }
  return notOpened(new Error('the file changes at every read'))
}

/** The file at `path` beside what is known of it, read in pieces: undefined for whatever has to be read whole. */
type Compared = { readonly version: string; readonly difference: UsersDifference | undefined }

const compareOpen = async (file: FileHandle, parts: readonly Buffer[], pause: () => Promise<void> | undefined) => {
  const { version, size } = openFileVersion(file)
  if (size === 0) return undefined
  let scratch = Buffer.alloc(0)
  let isWhole = true
  const read = async (offset: number, length: number): Promise<Buffer> => {
    if (scratch.length < length) scratch = Buffer.allocUnsafe(length)
    const { bytesRead } = await file.read(scratch, 0, length, offset)
    isWhole &&= bytesRead === length
    return scratch.subarray(0, bytesRead)
  }
  const difference = await findDifference(parts, size, read, pause)
  return isWhole && openFileVersion(file).version === version ? { version, difference } : undefined
}

const compare = async (
  path: string,
  parts: readonly Buffer[],
  pause: () => Promise<void> | undefined,
): Promise<Compared | undefined> => {
  const file = await openToRead(path)
  if (file === undefined) return undefined
  try {
    return await compareOpen(file, parts, pause).catch(notOpened)
  } finally {
    file.close().catch(() => undefined)
  }
}

/** Longer ones are read aside. */
const shortMax = 1024 * 1024

/** What is in the file at `path` as far as `room` goes, synchronously: for a file that was read or written a moment ago. */
const readNow = (path: string, room: Buffer): FoundBytes | undefined => {
  let fd: number | undefined
  try {
    fd = openSync(path, 'r')
    const length = readSync(fd, room, 0, room.length, 0)
    return { version: openFileVersion({ fd }).version, bytes: room.subarray(0, length) }
  } catch {
    return undefined
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}

const decode = (bytes: Buffer): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new UsersFileFault({ summary: 'is not UTF-8' })
  }
}

export type UsersFileReader = {
  /** What is in the file now; parses only what differs from `last`. Throws AppError `unavailable` when it cannot be opened. */
  read(last: UsersSnapshot | undefined): Promise<UsersSnapshot>
  /** The file as `snapshot` holds it; throws `accounts-unreadable` when that is a fault. */
  expectFile(snapshot: UsersSnapshot): UsersFile
  /** What `UsersFile.findWarnings` gives, found once for each state of the file. */
  warningsOf(file: UsersFile): Promise<readonly string[]>
  readonly documents: UsersDocumentReader
  /** Resolves once nothing runs any more. */
  close(): Promise<void>
}

/** Reads the users file at `path`; logs each version of it that cannot be read once, with the exact fault, and each new warning about its accounts. */
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
  /** A fault is looked for once, since that may take long. */
  let faulty: { readonly bytes: Buffer; readonly fault: UsersFileFault } | undefined

  /** Whoever meets a version for the first time, or once more too soon, has to read it again later. */
  const doubtOf = (version: string | undefined, last: UsersSnapshot | undefined): Pick<UsersSnapshot, 'doubtfulFrom'> => {
    const now = clock.monotonic()
    const doubtfulFrom = last !== undefined && last.version === version ? last.doubtfulFrom : now + doubtfulAfterMs
    return doubtfulFrom !== undefined && doubtfulFrom > now ? { doubtfulFrom } : {}
  }

  /** To read into what is only looked at. */
  let scratch = Buffer.alloc(0)

  const isStill = (last: UsersSnapshot): boolean => {
    if (last.file === undefined) return false
    const length = lengthOf(last.file.parts)
    if (length > shortMax || usersFileVersionNow(path) !== last.version) return false
    if (scratch.length <= length) scratch = Buffer.alloc(2 * length + 1)
    const read = readNow(path, scratch.subarray(0, length + 1))
    return read?.version === last.version && isJoined(last.file.parts, read.bytes)
  }

  const parse = async (version: string, bytes: Buffer, last: UsersSnapshot | undefined): Promise<UsersSnapshot> => {
    const found = { version, ...doubtOf(version, last) }
    if (last?.file && isJoined(last.file.parts, bytes)) return { ...found, file: last.file }
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

  /** Undefined where it has to be read whole. */
  const readBeside = async (last: UsersSnapshot & { readonly file: UsersFile }): Promise<UsersSnapshot | undefined> => {
    const found = await compare(path, last.file.parts, createPause(clock))
    if (found === undefined) return undefined
    const { version, difference } = found
    const file = difference === undefined ? last.file : rereadUsersFile(last.file, difference)
    if (file === undefined) return undefined
    faulty = undefined
    return { version, ...doubtOf(version, last), file }
  }

  let warned: { readonly file: UsersFile; readonly warnings: Promise<readonly string[]> } | undefined
  const warningsOf = (file: UsersFile): Promise<readonly string[]> => {
    if (warned?.file !== file) warned = { file, warnings: file.findWarnings(createPause(clock)) }
    return warned.warnings
  }

  let loggedWarnings: readonly string[] = []
  /** Read from the disk, and not looked at for warnings yet: the newest alone is. */
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
  /** Nobody who reads an account waits for it. */
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
    read: async (last) => {
      if (last?.file && isStill(last)) return { version: last.version, ...doubtOf(last.version, last), file: last.file }
      const beside = last?.file && (await readBeside({ ...last, file: last.file }))
      if (beside) return warnOf(beside, last)
      let { version, bytes } = await readStable(path)
      if (bytes.length === 0 && last?.file && last.file.index.byEmail.size > 0) {
        await sleep(settleMs)
        ;({ version, bytes } = await readStable(path))
      }
      const snapshot = await parse(version, bytes, last)
      if (snapshot.fault && logged !== version) {
        logged = version
        const { message, line, column } = snapshot.fault
        log.error(
          { path, fault: message, line, column },
          'the accounts file cannot be read; sign-ins are refused until it is mended',
        )
      }
      return warnOf(snapshot, last)
    },
    expectFile: ({ file, fault }) => {
      if (file) return file
      throw accountsUnreadable(fault)
    },
  }
}
