import { Type } from '@sinclair/typebox'
import type { Clock } from '../../kernel/clock.ts'
import { ClosedObject } from '../../kernel/closed-object.ts'
import { letOthersWork } from '../../kernel/turns.ts'
import { type Collection, createCollection, type Store } from '../../platform/storage/store.ts'
import { type DeletedAccounts, retentionMs } from './deleted-accounts.ts'
import type { AccountStore } from './store/account-store.ts'

const pageSize = 100
/** A pass looks at up to 1,000 records. The next pass continues there. */
const pagesPerPass = 10

/** Players with stored data and without an account, since `at`. Keyed by playerId. */
const departedPlayers = createCollection('departed-players', ClosedObject({ at: Type.String({ format: 'date-time' }) }))

/** The position of the last pass. One record for all processes. */
const scans = createCollection('departed-scans', ClosedObject({ source: Type.String(), cursor: Type.Optional(Type.String()) }))
const scanId = 'all'

/** Stored data of players: a collection, and the playerId in each id. */
export type PlayerDataSource = { readonly name: string; readonly playerIdOf: (id: string) => string }

export type DepartedPlayers = {
  /** Notes players without an account. Erases their data 30 days later. Runs in slices until `isOver`. */
  sweep(isOver: () => boolean): Promise<void>
}

export type DepartedPlayersDeps = {
  readonly store: Store
  readonly clock: Pick<Clock, 'now'>
  readonly accountStore: Pick<AccountStore, 'findByPlayerId' | 'warnings'>
  readonly deletedAccounts: Pick<DeletedAccounts, 'has'>
  readonly sources: readonly PlayerDataSource[]
  readonly erase: (playerId: string) => Promise<void>
}

/**
 * Finds accounts that were deleted without the service, for example by an edit of `users.yaml` while the server was stopped. Their data
 * stays for 30 days too, so that a restored entry has it again.
 */
export const createDepartedPlayers = (deps: DepartedPlayersDeps): DepartedPlayers => {
  const { store, clock, accountStore, deletedAccounts, sources, erase } = deps

  const isDeparted = async (playerId: string): Promise<boolean> =>
    !(await deletedAccounts.has(playerId)) && (await accountStore.findByPlayerId(playerId)) === undefined

  /** Looks at a page of one source, and returns the next position; undefined after the last source. */
  const scanPage = async (position: { readonly source: string; readonly cursor?: string }) => {
    const at = Math.max(
      sources.findIndex(({ name }) => name === position.source),
      0,
    )
    const source = sources[at]
    if (source === undefined) return undefined
    const collection: Collection<unknown> = { name: source.name, parse: (stored) => stored }
    const { cursor } = position
    const page = await store.list(collection, { limit: pageSize, ...(cursor !== undefined && { cursor }) })
    for (const playerId of new Set(page.records.map(({ id }) => source.playerIdOf(id)))) {
      if (!(await isDeparted(playerId)) || (await store.get(departedPlayers, playerId)) !== undefined) continue
      await store.put(departedPlayers, playerId, { at: new Date(clock.now()).toISOString() })
    }
    if (page.nextCursor !== undefined) return { source: source.name, cursor: page.nextCursor }
    const next = sources[at + 1]
    return next && { source: next.name }
  }

  const scan = async (isOver: () => boolean): Promise<void> => {
    const first = { source: sources[0]?.name ?? '' }
    let position: { readonly source: string; readonly cursor?: string } = (await store.get(scans, scanId))?.value ?? first
    for (let page = 0; page < pagesPerPass && !isOver(); page += 1) {
      const next = await scanPage(position)
      position = next ?? first
      if (next === undefined) break
      await letOthersWork()
    }
    await store.put(scans, scanId, position)
  }

  const eraseOld = async (isOver: () => boolean): Promise<void> => {
    let cursor: string | undefined
    do {
      const page = await store.list(departedPlayers, { limit: pageSize, ...(cursor !== undefined && { cursor }) })
      for (const { id, value } of page.records) {
        const isBack = !(await isDeparted(id))
        if (!isBack && clock.now() - Date.parse(value.at) <= retentionMs) continue
        // The note goes last, so that the next sweep repeats one that failed halfway.
        if (!isBack) await erase(id)
        await store.delete(departedPlayers, id)
      }
      cursor = page.nextCursor
      await letOthersWork()
    } while (cursor !== undefined && !isOver())
  }

  return {
    sweep: async (isOver) => {
      // An entry of users.yaml with a mistake is an account that is not found.
      if ((await accountStore.warnings()).length > 0) return
      await eraseOld(isOver)
      await scan(isOver)
    },
  }
}
