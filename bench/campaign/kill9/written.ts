import { ConnectionLostError } from '../../../sdk/errors.ts'
import type { Game } from '../../../sdk/examples/terminal/walk.ts'
import type { CommandResult } from '../../../sdk/protocol/generated/gatehouse.ts'
import { ask } from '../../../test/e2e/support/api.ts'
import { noTimers } from '../../../test/e2e/support/player-link.ts'
import type { House } from '../house/house.ts'
import type { Random } from '../random.ts'
import type { Ledger } from './ledger.ts'

/** What a stream of writes works with, between one start of the server and the kill. */
export type Scene = {
  readonly house: House
  readonly ledger: Ledger
  readonly token: string
  readonly random: Random
  /** Numbers that no other write of the run has. */
  nextNumber(): number
  /** False from the kill on. */
  isOn(): boolean
  /** An admin write by HTTP: resolves with the answer, or undefined where none came; an answer of success is noted with the audit entry that it must have. */
  write(
    what: string,
    send: { readonly body?: unknown; readonly yaml?: string; readonly headers?: Record<string, string> },
  ): Promise<Written | undefined>
}

export type Written = { readonly status: number; readonly body: Record<string, unknown>; readonly headers: Headers }

/** One kind of acknowledged writes. Of each kind one stream runs, so that each key has one writer. */
export type WriteKind = {
  readonly name: string
  /** Writes one after the other while the scene is on; returns then, or when its connection is gone. */
  stream(scene: Scene): Promise<void>
  /** Compares the stored values with the allowed ones: for keys written since the last call, or with `all` for every key. Returns the differences. */
  compare(scene: Scene, all: boolean): Promise<readonly string[]>
}

/** The faults of comparing `keys` with what `find` answers. */
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

/** Every entry of a list of the API, page by page. */
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

/** The answer to a command; undefined when the connection is gone before it. */
export const runCommand = async ({ session }: Game, text: string): Promise<CommandResult | undefined> =>
  session.command(text).catch((error: unknown) => {
    if (error instanceof ConnectionLostError) return undefined
    throw error
  })

const enterMsMax = 30_000

/** A player in the game, who does not come back once the connection is lost. */
export const enterGame = ({ house }: Scene, token: string): Promise<Game> =>
  house.stage.enter(house.url(), token, { timers: noTimers, signal: AbortSignal.timeout(enterMsMax) })

export const isLive = ({ session }: Pick<Game, 'session'>): boolean => session.state().name === 'live'
