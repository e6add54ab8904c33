import { type Static, Type } from '@sinclair/typebox'
import type { Clock } from '../../kernel/clock.ts'
import { ClosedObject } from '../../kernel/closed-object.ts'
import { AppError } from '../../kernel/errors.ts'
import { hashSecret, type Ids } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import { isShown } from '../../kernel/shown-text.ts'
import type { EventBus } from '../../platform/events/event-bus.ts'
import { createCollection, putWrite, type Store } from '../../platform/storage/store.ts'
import { type AuditActor, createAuditEntry } from '../audit/audit-entry.ts'
import type { AuditLog } from '../audit/audit-log.ts'
import type { PermissionNames } from '../permissions/permission-names.ts'
import { endlessMs, type TokenRecord, type TokenStore } from '../tokens/tokens.ts'

const nameLengthMax = 64

/** A long-lived credential of a bot or a script. It acts as its owner, within its own permissions. */
export const ApiToken = ClosedObject({
  id: Type.String({ format: 'uuid' }),
  name: Type.String({ minLength: 1, maxLength: nameLengthMax, description: 'What the token is for, as its owner calls it.' }),
  permissions: Type.Array(Type.String(), { description: 'Names and wildcards. The token has those of them that its owner has.' }),
  createdAt: Type.String({ format: 'date-time' }),
  expiresAt: Type.Optional(Type.String({ format: 'date-time', description: 'Absent if the token does not expire.' })),
  lastUsedAt: Type.Optional(
    Type.String({ format: 'date-time', description: 'To the hour. Absent if the token was never used.' }),
  ),
})
export type ApiToken = Static<typeof ApiToken>

/** An API token, and the playerId of its owner. */
export type OwnedApiToken = ApiToken & { readonly playerId: string }

export type NewApiToken = { readonly name: string; readonly permissions: readonly string[]; readonly expiresAt?: string }

/** The owner of a token, and the author of a change to it. */
type Change = { readonly playerId: string; readonly actor: AuditActor; readonly target: string }

/** The API tokens of all accounts. The store has only their SHA-256. All methods throw AppError `unavailable` if the store is away. */
export type ApiTokens = {
  /**
   * Creates a token and returns its secret, which cannot be read again. Throws `invalid` for a name
   * without visible characters, and `unprocessable` for a time in the past or too many tokens.
   */
  create(change: Change, token: NewApiToken): Promise<{ readonly token: string; readonly created: ApiToken }>
  /** The tokens of an account, oldest first. */
  list(playerId: string): Promise<readonly ApiToken[]>
  /** The tokens of all accounts, oldest first. */
  listAll(): Promise<readonly OwnedApiToken[]>
  /** The playerId of the owner of a token, by the id of the token. Reads the ids of all tokens. */
  findOwner(id: string): Promise<string | undefined>
  /** Deletes a token and closes the connections that it opened. Returns false if the account has no such token. */
  end(change: Change, id: string): Promise<boolean>
  /** Makes all tokens of an account invalid for good. Its connections stay open until `endAll`. */
  deleteAll(playerId: string): Promise<void>
  /** Deletes all tokens of a banned or deleted account, and closes their connections. */
  endAll(playerId: string): Promise<void>
  /** The rights of a live token, at most a second old; undefined for any other text. */
  find(token: string): Promise<TokenRecord | undefined>
}

export type ApiTokensDeps = {
  readonly store: Store
  readonly tokens: Pick<TokenStore, 'revokeSignIn'>
  readonly events: Pick<EventBus, 'publish'>
  readonly audit: Pick<AuditLog, 'append'>
  /** The email of an account, for the audit log. */
  readonly emailOf: (playerId: string) => Promise<string | undefined>
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Pick<Log, 'warn'>
}

const Stored = ClosedObject({ ...ApiToken.properties, playerId: Type.String() })

/** By the SHA-256 of the token. */
const records = createCollection('api-tokens', Stored)
/** By `playerId/id`. */
const owners = createCollection('api-token-owners', ClosedObject({ hash: Type.String() }))

const shape = /^ght_[A-Za-z0-9_-]{43}$/
const tokensMax = 50
const cacheMs = 1_000
const cachedMax = 1_000
/** How exact `lastUsedAt` is: one write an hour for a token in use. */
const noteUseMs = 60 * 60_000
/** Use after this much rest is in the audit log. */
const restMs = 24 * 60 * 60_000
const pageLimit = 1_000

/** The trimmed name. Throws AppError `invalid` with the pointer `/name` unless it has 1 to 64 visible characters. */
const parseTokenName = (text: string): string => {
  const name = text.trim()
  if (isShown(name) && [...name].length <= nameLengthMax) return name
  const message = `must have 1 to ${nameLengthMax} visible characters, with at most four marks each`
  throw new AppError('invalid', 'bad-request', 'The name of the API token is not valid.', {
    errors: [{ pointer: '/name', message }],
  })
}

/** Throws AppError `unprocessable` for an unknown permission, with the nearest name, and for one that takes away. */
export const refuseUnknownPermissions = async (names: PermissionNames, permissions: readonly string[]): Promise<void> => {
  if (permissions.some((permission) => permission.startsWith('-')))
    throw new AppError('unprocessable', 'unknown-permission', 'An API token cannot take a permission away. Leave out the "-".')
  await names.refresh(permissions)
  const unknown = permissions.find((permission) => permission !== '*' && !names.isKnown(permission))
  const message = unknown === undefined ? undefined : names.describeUnknown(unknown)
  if (message !== undefined) throw new AppError('unprocessable', 'unknown-permission', message)
}

/** Whether `text` has the shape of an API token. */
export const isApiToken = (text: string): boolean => shape.test(text)

const viewToken = ({ playerId: _, ...token }: OwnedApiToken): ApiToken => token

export const createApiTokens = (deps: ApiTokensDeps): ApiTokens => {
  const { store, tokens, events, audit, emailOf, clock, ids, log } = deps
  const cached = new Map<string, { readonly grant: TokenRecord; readonly untilMs: number }>()

  const readOwners = async (prefix: string): Promise<readonly { readonly id: string; readonly hash: string }[]> => {
    const found: { id: string; hash: string }[] = []
    let cursor: string | undefined
    do {
      const page = await store.list(owners, { prefix, limit: pageLimit, ...(cursor !== undefined && { cursor }) })
      found.push(...page.records.map(({ id, value }) => ({ id, hash: value.hash })))
      cursor = page.nextCursor
    } while (cursor !== undefined)
    return found
  }
  const readTokens = async (prefix: string): Promise<readonly OwnedApiToken[]> => {
    const found = await Promise.all((await readOwners(prefix)).map(({ hash }) => store.get(records, hash)))
    return found.flatMap((record) => record?.value ?? []).toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
  }

  const toGrant = ({ id, playerId, permissions, expiresAt }: OwnedApiToken): TokenRecord => ({
    playerId,
    verified: true,
    signInId: id,
    // The end of all sign-ins, for example by a new password, does not end API tokens.
    signedInAt: endlessMs,
    scope: permissions,
    expiresAt: expiresAt === undefined ? endlessMs : Date.parse(expiresAt),
  })

  /** Throws nothing: a request does not fail because its use could not be noted. */
  const noteUse = async (hash: string, version: string, token: OwnedApiToken): Promise<void> => {
    const now = clock.now()
    const before = Date.parse(token.lastUsedAt ?? token.createdAt)
    if (token.lastUsedAt !== undefined && now - before < noteUseMs) return
    try {
      await store.put(records, hash, { ...token, lastUsedAt: new Date(now).toISOString() }, { ifVersion: version })
      if (now - before < restMs) return
      const email = (await emailOf(token.playerId)) ?? 'system'
      const actor = { email, via: 'http', requestId: ids.uuid() } as const
      const used = { action: 'token.use', target: email, before: null, after: { id: token.id, name: token.name } }
      await audit.append([createAuditEntry({ clock, ids }, actor, used)])
    } catch (error) {
      if (error instanceof AppError && error.kind === 'conflict') return
      log.warn({ err: error }, 'the use of an API token could not be noted')
    }
  }

  const deleteRecord = async (hash: string): Promise<void> => {
    await store.commit([{ kind: 'delete', collection: records.name, id: hash }])
    cached.delete(hash)
  }
  const deleteAll = async (playerId: string) => {
    const owned = await readOwners(`${playerId}/`)
    for (const { hash } of owned) await deleteRecord(hash)
    return owned
  }

  /**
   * Deletes the token first, so that it is dead even if the rest fails. Its owner's entry is deleted last: until then the call can be
   * repeated to close the connections.
   */
  const remove = async (playerId: string, id: string, hash: string): Promise<void> => {
    await deleteRecord(hash)
    await tokens.revokeSignIn({ playerId, signInId: id })
    await events.publish('sign-in-ended', { playerId, signInId: id })
    await store.commit([{ kind: 'delete', collection: owners.name, id: `${playerId}/${id}` }])
  }

  return {
    create: async ({ playerId, actor, target }, { permissions, expiresAt, ...given }) => {
      const now = clock.now()
      const name = parseTokenName(given.name)
      if (expiresAt !== undefined && Date.parse(expiresAt) <= now)
        throw new AppError('unprocessable', 'rule-broken', '`expiresAt` is in the past. Give a later time, or none.')
      if ((await readOwners(`${playerId}/`)).length >= tokensMax)
        throw new AppError('unprocessable', 'rule-broken', `This account has ${tokensMax} API tokens. Delete one first.`)
      const token = `ght_${ids.secret()}`
      const hash = hashSecret(token)
      const created: ApiToken = {
        id: ids.uuid(),
        name,
        permissions: [...permissions],
        createdAt: new Date(now).toISOString(),
        ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
      }
      await store.commit([
        putWrite(records, hash, { ...created, playerId }, { ifVersion: null }),
        putWrite(owners, `${playerId}/${created.id}`, { hash }, { ifVersion: null }),
      ])
      await audit.append([
        createAuditEntry({ clock, ids }, actor, { action: 'token.create', target, before: null, after: created }),
      ])
      return { token, created }
    },
    list: async (playerId) => (await readTokens(`${playerId}/`)).map(viewToken),
    listAll: () => readTokens(''),
    findOwner: async (id) => (await readOwners('')).find((owner) => owner.id.endsWith(`/${id}`))?.id.slice(0, -id.length - 1),
    end: async ({ playerId, actor, target }, id) => {
      const owned = await store.get(owners, `${playerId}/${id}`)
      if (owned === undefined) return false
      const { hash } = owned.value
      const before = (await store.get(records, hash))?.value
      await remove(playerId, id, hash)
      const ended = { action: 'token.delete', target, before: before === undefined ? null : viewToken(before), after: null }
      await audit.append([createAuditEntry({ clock, ids }, actor, ended)])
      return true
    },
    deleteAll: async (playerId) => {
      await deleteAll(playerId)
    },
    endAll: async (playerId) => {
      // All are dead before the first connection is closed: closing may fail while the store of sign-ins is away.
      for (const { id, hash } of await deleteAll(playerId)) await remove(playerId, id.slice(playerId.length + 1), hash)
    },
    find: async (text) => {
      if (!isApiToken(text)) return undefined
      const hash = hashSecret(text)
      const known = cached.get(hash)
      const isLive = ({ expiresAt }: TokenRecord) => expiresAt > clock.now()
      if (known !== undefined && clock.monotonic() < known.untilMs) return isLive(known.grant) ? known.grant : undefined
      const untilMs = clock.monotonic() + cacheMs
      const found = await store.get(records, hash)
      if (found === undefined) {
        cached.delete(hash)
        return undefined
      }
      const { value, version } = found
      // The same array for as long as the token does not change: rules are cached by it.
      const grant = known === undefined ? toGrant(value) : { ...toGrant(value), scope: known.grant.scope ?? value.permissions }
      if (!isLive(grant)) return undefined
      cached.set(hash, { grant, untilMs })
      const [oldest] = cached.keys()
      if (cached.size > cachedMax && oldest !== undefined) cached.delete(oldest)
      await noteUse(hash, version, value)
      return grant
    },
  }
}

/** A token store that also finds API tokens. */
export const joinApiTokens = (tokens: TokenStore, apiTokens: Pick<ApiTokens, 'find' | 'endAll'>): TokenStore => ({
  ...tokens,
  find: (token) => (isApiToken(token) ? apiTokens.find(token) : tokens.find(token)),
  endAccount: async (playerId) => {
    const ended = await Promise.allSettled([tokens.endAccount(playerId), apiTokens.endAll(playerId)])
    for (const one of ended) if (one.status === 'rejected') throw one.reason
  },
})
