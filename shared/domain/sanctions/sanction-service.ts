import type { Clock } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import { type Ids, isUuid } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import { createQueue } from '../../kernel/queue.ts'
import type { EventBus } from '../../platform/events/event-bus.ts'
import { listByTime } from '../../platform/storage/list-by-time.ts'
import { putWrite, type Store, type StoredRecord, type Version, type Write } from '../../platform/storage/store.ts'
import { createTimeOrderedIds } from '../../platform/storage/time-ordered-ids.ts'
import type { Account } from '../accounts/account.ts'
import type { Actor } from '../accounts/actor.ts'
import type { AccountStore } from '../accounts/store/account-store.ts'
import type { ApiTokens } from '../api-tokens/api-tokens.ts'
import { createAuditEntry } from '../audit/audit-entry.ts'
import { auditWrites } from '../audit/store-audit-log.ts'
import type { Permissions } from '../permissions/permissions.ts'
import type { TokenStore } from '../tokens/tokens.ts'
import type { ActiveSanctions, SeenChanges } from './active/follow-sanctions.ts'
import { accountPrefix, allId, allPrefix, inForceId, inForcePrefix } from './record-ids.ts'
import {
  isInForce,
  recentMax,
  type Sanction,
  type SanctionKind,
  sanctionChanges,
  sanctionChangesId,
  sanctionRecords,
} from './sanction.ts'
import { type NewSanction, parseNewSanction } from './sanction-input.ts'
import { refuseEnding, refuseImposing } from './sanction-rules.ts'

type SanctionQuery = {
  /** 1 to 200. */
  readonly limit: number
  readonly cursor?: string
  readonly email?: string
  readonly kind?: SanctionKind
  /** Active, or ended; both when absent. */
  readonly active?: boolean
}

export type SanctionPage = { readonly sanctions: readonly Sanction[]; readonly nextCursor?: string }

/**
 * Bans, mutes and warnings with their rules: actors cannot sanction themselves or act beyond their own permissions, and an
 * administrator always remains. Each change is audited in the same commit. When it resolves, it is durable and applied in this process.
 * Other processes follow within a second, or at their next poll without Redis. `from` is the address of the caller.
 */
export type SanctionService = {
  /** Newest first. All filters must match. Throws `invalid` for an unknown cursor. */
  listSanctions(query: SanctionQuery): Promise<SanctionPage>
  /** Throws `not-found`. */
  getSanction(id: string): Promise<Sanction>
  /**
   * Imposes a sanction. If the email has no account yet, the sanction applies once it has. A ban ends the tokens of the account. Throws
   * `unprocessable` `rule-broken` for an end in the past, and as the rules say.
   */
  impose(actor: Actor, input: NewSanction, from?: string): Promise<Sanction>
  /** Ends a sanction. One that has ended is returned unchanged. Throws `not-found`, and as the rules say. */
  end(actor: Actor, id: string, from?: string): Promise<Sanction>
  /** Makes an ended sanction active again, by the rules of `impose`. An active one is returned unchanged. */
  reinstate(actor: Actor, id: string, from?: string): Promise<Sanction>
  /** Moves all sanctions of one email to another, including ended ones, when an account changes its email. Audited with the account. */
  moveEmail(from: string, to: string): Promise<void>
  /** Ends warnings that the player has seen. Other ids are ignored. */
  noteSeen(email: string, ids: readonly string[]): Promise<void>
}

export type SanctionServiceDeps = {
  readonly store: Store
  readonly inForce: ActiveSanctions
  readonly accountStore: Pick<AccountStore, 'findByEmail' | 'isAdministrator' | 'listAdministrators'>
  readonly permissions: Permissions
  readonly tokens: Pick<TokenStore, 'endAccount'>
  readonly apiTokens: Pick<ApiTokens, 'deleteAll'>
  readonly events: Pick<EventBus, 'publish'>
  readonly clock: Clock
  readonly ids: Pick<Ids, 'uuid'>
  readonly log: Log
}

/** Each failed attempt means that another writer succeeded. */
const attemptsMax = 100

type Step = { readonly before: StoredRecord<Sanction> | undefined; readonly after: Sanction }

const sanctionMissing = (): AppError => new AppError('not-found', 'not-found', 'There is no sanction with that id.')

/**
 * The number of expired entries that each change removes from the list of active ones. It fits in one commit, and is more than a change
 * adds.
 */
const forgottenAtOnce = 2

const forgetWrite = (id: string): Write => ({ kind: 'delete', collection: sanctionRecords.name, id: inForceId(id) })

/** The writes of a step without its audit entry: the sanction under all its ids, the record of changes, and deletions of `over`. */
const stepWrites = ({ before, after }: Step, seen: SeenChanges, over: readonly Sanction[], nowMs: number): readonly Write[] => {
  const { id, email } = after
  const ifVersion: Version | null = before?.version ?? null
  const changed = [...over.map((one) => one.id), id]
  const recent = [...seen.recent, ...changed].slice(-recentMax)
  const previousEmail = before?.value.email
  return [
    putWrite(sanctionRecords, allId(id), after, { ifVersion }),
    isInForce(after, nowMs) ? putWrite(sanctionRecords, inForceId(id), after) : forgetWrite(id),
    ...over.map((one) => forgetWrite(one.id)),
    ...(email === undefined ? [] : [putWrite(sanctionRecords, accountPrefix(email) + id, after)]),
    ...(previousEmail === undefined || previousEmail === email
      ? []
      : [{ kind: 'delete' as const, collection: sanctionRecords.name, id: accountPrefix(previousEmail) + id }]),
    putWrite(sanctionChanges, sanctionChangesId, { count: seen.count + changed.length, recent }, { ifVersion: seen.version }),
  ]
}

const matches = (sanction: Sanction, { email, kind, active }: SanctionQuery, nowMs: number): boolean =>
  (email === undefined || sanction.email === email) &&
  (kind === undefined || sanction.kind === kind) &&
  (active === undefined || isInForce(sanction, nowMs) === active)

const prefixFor = ({ email, active }: SanctionQuery): string => {
  if (email !== undefined) return accountPrefix(email)
  return active === true ? inForcePrefix : allPrefix
}

const createSanctionListing =
  ({
    store,
    clock,
  }: {
    readonly store: Pick<Store, 'list'>
    readonly clock: Pick<Clock, 'now'>
  }): SanctionService['listSanctions'] =>
  async (query) => {
    const { limit, cursor } = query
    const timedQuery = { prefix: prefixFor(query), limit, cursor, matches: (one: Sanction) => matches(one, query, clock.now()) }
    const { found: sanctions, ...more } = await listByTime(store, sanctionRecords, timedQuery)
    return { sanctions, ...more }
  }

const againMs = 1_000

/** Ends the tokens of banned accounts, and retries while the token store is away. Until then they are refused one by one. */
const createTokenEndings = ({
  tokens,
  log,
}: {
  readonly tokens: Pick<TokenStore, 'endAccount'>
  readonly log: Log
}): ((playerId: string) => Promise<void>) => {
  const pending = new Set<string>()
  let isToTryAgain = false

  const tryOne = async (playerId: string): Promise<void> => {
    try {
      await tokens.endAccount(playerId)
      pending.delete(playerId)
    } catch (error) {
      if (!pending.has(playerId))
        log.warn(
          { err: error, playerId },
          'tokens of a banned account are not ended yet; they are refused, and ending them is retried',
        )
      pending.add(playerId)
      if (isToTryAgain) return
      isToTryAgain = true
      setTimeout(() => {
        isToTryAgain = false
        for (const one of [...pending]) void tryOne(one)
      }, againMs).unref()
    }
  }
  return tryOne
}

/**
 * Sanctions in a Store (docs/decisions/0044-sanctions.md). Each change is decided on the current sanctions, with any number of writing
 * processes.
 */
export const createSanctionService = (deps: SanctionServiceDeps): SanctionService => {
  const { store, inForce, accountStore, apiTokens, events, clock, log } = deps
  const inTurn = createQueue()
  const newId = createTimeOrderedIds(deps)
  const endTokens = createTokenEndings(deps)
  const nowText = (): string => new Date(clock.now()).toISOString()

  const audited = (actor: Actor, { before, after }: Step): readonly Write[] => {
    const action = before === undefined ? 'sanction.create' : after.endedAt === undefined ? 'sanction.reinstate' : 'sanction.end'
    const target = after.email ?? after.address ?? after.id
    return auditWrites(createAuditEntry(deps, actor, { action, target, before: before?.value ?? null, after }))
  }

  /** `decide` sees the current sanctions. It returns undefined if there is nothing to do. */
  const change = (decide: () => Promise<{ readonly step: Step; readonly audit: readonly Write[] } | undefined>): Promise<void> =>
    inTurn(async () => {
      for (let attempts = 1; ; attempts += 1) {
        const seen = await inForce.catchUp()
        const decided = await decide()
        if (decided === undefined) return
        try {
          const over = inForce.listOver(forgottenAtOnce).filter(({ id }) => id !== decided.step.after.id)
          await store.commit([...stepWrites(decided.step, seen, over, clock.now()), ...decided.audit])
          break
        } catch (error) {
          if (!(error instanceof AppError && error.slug === 'conflict')) throw error
          if (attempts === attemptsMax)
            throw new AppError('unavailable', 'service-unavailable', 'Too many sanctions are being changed at once. Try again.', {
              cause: error,
              retryAfterSeconds: 1,
            })
        }
      }
      // The change is durable. If it cannot be read now, the next poll reads it.
      await inForce
        .catchUp()
        .catch((error: unknown) =>
          log.warn({ err: error }, 'a new sanction cannot be read yet; it applies here after the next poll'),
        )
    })

  const announce = (): Promise<void> => events.publish('sanctions-changed', {})

  const getRecord = async (id: string): Promise<StoredRecord<Sanction>> => {
    const record = isUuid(id) ? await store.get(sanctionRecords, allId(id.toLowerCase())) : undefined
    if (record === undefined) throw sanctionMissing()
    return record
  }

  const findAccount = async ({ email }: Pick<Sanction, 'email'>): Promise<Account | undefined> =>
    email === undefined ? undefined : accountStore.findByEmail(email)

  /**
   * Before a ban is stored: a crash right after it cannot leave API tokens that work again when the ban ends. If the ban then
   * fails, they have ended without need. That is the lesser harm.
   */
  const endForGood = async ({ kind }: Sanction, account: Account | undefined): Promise<void> => {
    if (kind === 'ban' && account !== undefined) await apiTokens.deleteAll(account.playerId)
  }

  /** Publishes first, so that a session learns of the ban before its sign-in ends. */
  const enforce = async (sanction: Sanction, account: Account | undefined): Promise<void> => {
    await announce()
    if (sanction.kind === 'ban' && account !== undefined) await endTokens(account.playerId)
  }

  return {
    listSanctions: createSanctionListing(deps),
    getSanction: async (id) => (await getRecord(id)).value,
    impose: async (actor, input, from) => {
      const at = nowText()
      const after: Sanction = { id: newId(), ...parseNewSanction(input, clock.now()), by: actor.email, at }
      let account: Account | undefined
      await change(async () => {
        account = await findAccount(after)
        await refuseImposing(deps, actor, { sanction: after, account }, from)
        await endForGood(after, account)
        const step = { before: undefined, after }
        return { step, audit: audited(actor, step) }
      })
      await enforce(after, account)
      return after
    },
    end: async (actor, id, from) => {
      let ended: Sanction | undefined
      await change(async () => {
        const before = await getRecord(id)
        ended = before.value
        if (!isInForce(ended, clock.now())) return undefined
        refuseEnding(deps, actor, { sanction: ended, account: await findAccount(ended) }, from)
        ended = { ...ended, endedAt: nowText(), endedBy: actor.email }
        const step = { before, after: ended }
        return { step, audit: audited(actor, step) }
      })
      await announce()
      if (ended === undefined) throw sanctionMissing()
      return ended
    },
    reinstate: async (actor, id, from) => {
      let sanction: Sanction | undefined
      let account: Account | undefined
      await change(async () => {
        const before = await getRecord(id)
        const { endedAt, endedBy: _, ...again } = before.value
        sanction = again
        account = await findAccount(again)
        if (endedAt === undefined) return undefined
        await refuseImposing(deps, actor, { sanction: again, account }, from)
        await endForGood(again, account)
        const step = { before, after: again }
        return { step, audit: audited(actor, step) }
      })
      if (sanction === undefined) throw sanctionMissing()
      await enforce(sanction, account)
      return sanction
    },
    moveEmail: async (from, to) => {
      let isMoved = false
      for (;;) {
        const { records } = await store.list(sanctionRecords, { prefix: accountPrefix(from), limit: 100 })
        if (records.length === 0) break
        isMoved = true
        for (const { value } of records)
          await change(async () => {
            const before = await getRecord(value.id)
            return { step: { before, after: { ...before.value, email: to } }, audit: [] }
          })
      }
      if (isMoved) await announce()
    },
    noteSeen: async (email, ids) => {
      for (const id of ids)
        await change(async () => {
          const before = await getRecord(id)
          const { kind, email: whose } = before.value
          if (kind !== 'warning' || whose !== email || !isInForce(before.value, clock.now())) return undefined
          return { step: { before, after: { ...before.value, endedAt: nowText(), endedBy: email } }, audit: [] }
        })
      await announce()
    },
  }
}
