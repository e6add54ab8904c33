import { readFile } from 'node:fs/promises'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../kernel/clock.ts'
import { AppError } from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'
import { fileVersion } from '../storage/atomic-file.ts'
import { readUsersFile, type UsersFile } from './users-file.ts'
import { accountsUnreadable, UsersFileFault } from './users-file-fault.ts'

/** What was found at the path: a good file or a fault. `version` is undefined for what was just written and not seen there yet. */
export type UsersSnapshot = { readonly version: string | undefined } & (
  | { readonly file: UsersFile; readonly fault?: undefined }
  | { readonly file?: undefined; readonly fault: UsersFileFault }
)

/** How long parsing may hold the thread at a stretch, in milliseconds. */
const stretchMs = 5
/** An editor that empties a file, or moves it aside, before it writes it anew is given this long. */
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

/** The version of the file at `path`, `absent` when there is none; throws AppError `unavailable`. */
export const usersFileVersion = async (path: string): Promise<string> => (await fileVersion(path).catch(notOpened)) ?? 'absent'

const isAbsence = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT'

const readBytes = (path: string): Promise<Buffer> =>
  readFile(path).catch((error: unknown) => (isAbsence(error) ? Buffer.alloc(0) : notOpened(error)))

/** Bytes and the version that they belong to. */
const readStable = async (path: string): Promise<{ version: string; bytes: Buffer }> => {
  for (;;) {
    const version = await usersFileVersion(path)
    const bytes = await readBytes(path)
    if (version === (await usersFileVersion(path))) return { version, bytes }
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
}

/** Reads the users file at `path`; logs each version of it that cannot be read once, with the exact fault. */
export const createUsersFileReader = ({
  path,
  clock,
  log,
}: {
  readonly path: string
  readonly clock: Clock
  readonly log: Log
}): UsersFileReader => {
  let logged: string | undefined

  const parse = async (version: string, bytes: Buffer, last: UsersSnapshot | undefined): Promise<UsersSnapshot> => {
    try {
      const text = decode(bytes)
      if (last?.file?.text === text) return { version, file: last.file }
      return { version, file: await readUsersFile(text, { previous: last?.file, pause: createPause(clock) }) }
    } catch (fault) {
      if (!(fault instanceof UsersFileFault)) throw fault
      return { version, fault }
    }
  }

  return {
    read: async (last) => {
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
      return snapshot
    },
    expectFile: ({ file, fault }) => {
      if (file) return file
      throw accountsUnreadable(fault)
    },
  }
}
