import { ConnectionLostError } from '../../../sdk/errors.ts'
import type { Game } from '../../../sdk/examples/terminal/commands.ts'
import type { CommandResult } from '../../../sdk/protocol/generated/gatehouse.ts'
import { ask } from '../../../test/e2e/support/api.ts'
import { noTimers } from '../../../test/e2e/support/player-link.ts'
import type { House } from '../house/house.ts'
import type { Random } from '../random.ts'
import type { Ledger } from './ledger.ts'

/** The context of a stream of writes, between a start of the server and the kill. */
export type Scene = {
  readonly house: House
  readonly ledger: Ledger
  readonly token: string
  readonly random: Random
  /** Returns a number that is unique in the run. */
  nextNumber(): number
  /** False from the kill on. */
  isOn(): boolean
  /**
   * Sends an admin write over HTTP; resolves with the answer, or undefined without one. A successful write is recorded with its
   * audit entry.
   */
  write(
    what: string,
    send: { readonly body?: unknown; readonly yaml?: string; readonly headers?: Record<string, string> },
  ): Promise<Written | undefined>
}

export type Written = { readonly status: number; readonly body: Record<string, unknown>; readonly headers: Headers }

/** One kind of acknowledged writes. Each kind has one stream, so that each key has one writer. */
export type WriteKind = {
  readonly name: string
  /** Writes repeatedly until the scene ends or its connection is gone. */
  stream(scene: Scene): Promise<void>
  /** Compares the stored values with the allowed ones: for keys written since the last call, or with `all` for every key. Returns the differences. */
  compare(scene: Scene, all: boolean): Promise<readonly string[]>
}

/** Compares `keys` with the results of `find`; returns the faults. */
export const compareKeys = async (
  { ledger }: Scene,
  keys: readonly string[],
  find: (key: string) => unknown,
): Promise<readonly string[]> => {
  const faults: string[] = []
  for (const key of keys) {
    const why = ledger.compare(key, await find(key))
    if (why !== undefined) faults.push(`${key}: ${why}`)
  }
  return faults
}

export const keysOf = ({ ledger }: Scene, kind: string, all: boolean): readonly string[] => {
  const touched = ledger.touched(kind)
  return all ? ledger.all(kind) : touched
}

/** Reads every page of a list of the API. */
export const readPages = async (
  { house, token }: Scene,
  path: string,
  list: string,
): Promise<readonly Record<string, unknown>[]> => {
  const entries: Record<string, unknown>[] = []
  let cursor: unknown
  do {
    const page = cursor === undefined ? '' : `&cursor=${encodeURIComponent(String(cursor))}`
    const { status, body } = await ask(house.url(), `GET ${path}?limit=200${page}`, { token })
    const found = body[list]
    if (status !== 200 || !Array.isArray(found)) throw new Error(`GET ${path} answered ${status}`)
    entries.push(...found)
    cursor = body.nextCursor
  } while (cursor !== undefined)
  return entries
}

/** Returns the answer to a command; undefined if the connection ends first. */
export const runCommand = async ({ session }: Game, text: string): Promise<CommandResult | undefined> =>
  session.command(text).catch((error: unknown) => {
    if (error instanceof ConnectionLostError) return undefined
    throw error
  })

const enterMsMax = 30_000

/** A player in the game without automatic reconnection. */
export const enterGame = ({ house }: Scene, token: string): Promise<Game> =>
  house.stage.enter(house.url(), token, { timers: noTimers, signal: AbortSignal.timeout(enterMsMax) })

export const isLive = ({ session }: Pick<Game, 'session'>): boolean => session.state().name === 'live'
