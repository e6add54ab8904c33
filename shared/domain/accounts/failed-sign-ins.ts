import { createHash } from 'node:crypto'
import { type Static, Type } from '@sinclair/typebox'
import type { Clock } from '../../kernel/clock.ts'
import { ClosedObject } from '../../kernel/closed-object.ts'
import { AppError } from '../../kernel/errors.ts'
import { hashSecret } from '../../kernel/ids.ts'
import { createCollection, type Store } from '../../platform/storage/store.ts'

const blocksPerAccount = 20
const attemptsMax = 5
/** Unknown emails cost the same reads and writes as known ones. They share this many records, so that writes rarely conflict. */
const unknownRecords = 64
const recordOfUnknown = (email: string): string =>
  `00000000-0000-0000-0000-${String(createHash('sha256').update(email).digest().readUInt32BE() % unknownRecords).padStart(12, '0')}`

/** Sign-ins of an account with a wrong password. */
export const FailedSignIns = ClosedObject({
  count: Type.Integer({ minimum: 0 }),
  lastAt: Type.Optional(Type.String({ format: 'date-time' })),
})
export type FailedSignIns = Static<typeof FailedSignIns>

const Stored = ClosedObject({
  /** Since the last verified sign-in. */
  failed: FailedSignIns,
  /** Failures before the last verified sign-in that the player has not seen yet. */
  unseen: FailedSignIns,
  /** Hashes of the address blocks of verified sign-ins, newest first. */
  blocks: Type.Array(Type.String()),
})
type Stored = Static<typeof Stored>

/** By playerId. */
const records = createCollection('failed-sign-ins', Stored)

const none: FailedSignIns = { count: 0 }
const empty: Stored = { failed: none, unseen: none, blocks: [] }

const change = async (store: Pick<Store, 'get' | 'put'>, id: string, decide: (before: Stored) => Stored): Promise<void> => {
  for (let attempt = 1; ; attempt += 1) {
    const found = await store.get(records, id)
    const before = found?.value ?? empty
    const next = decide(before)
    if (next === before) return
    try {
      await store.put(records, id, next, { ifVersion: found?.version ?? null })
      return
    } catch (error) {
      const isRace = error instanceof AppError && error.kind === 'conflict'
      if (!isRace || attempt === attemptsMax) throw error
    }
  }
}

/** The account of a sign-in; without a playerId the email is unknown. */
export type SignInTarget = { readonly email: string; readonly playerId?: string | undefined }

/** Failed sign-ins of each account, and the address blocks it signs in from. */
export type FailedSignInLog = {
  noteFailure(target: SignInTarget): Promise<void>
  /** Notes a verified sign-in from `block` and resets the count. Returns the failures since the previous verified sign-in. */
  noteSuccess(playerId: string, block: string): Promise<FailedSignIns>
  /** Whether the account has signed in verified from `block` before. */
  isKnown(target: SignInTarget, block: string): Promise<boolean>
}

/** Failed sign-ins since the last verified one. */
export const findFailedSignIns = async (store: Pick<Store, 'get'>, playerId: string): Promise<FailedSignIns> =>
  (await store.get(records, playerId))?.value.failed ?? none

/** Failures before the last verified sign-in that the player has not seen; marks them as seen. */
export const takeUnseenFailures = async (store: Pick<Store, 'get' | 'put'>, playerId: string): Promise<FailedSignIns> => {
  let unseen = none
  await change(store, playerId, (before) => {
    unseen = before.unseen
    return unseen.count === 0 ? before : { ...before, unseen: none }
  })
  return unseen
}

export const forgetFailedSignIns = async (store: Pick<Store, 'delete'>, playerId: string): Promise<void> => {
  await store.delete(records, playerId)
}

const join = (one: FailedSignIns, later: FailedSignIns): FailedSignIns =>
  later.count === 0 ? one : { ...later, count: one.count + later.count }

export const createFailedSignInLog = ({
  store,
  clock,
}: {
  readonly store: Pick<Store, 'get' | 'put'>
  readonly clock: Clock
}): FailedSignInLog => {
  const hashOf = (playerId: string, block: string): string => hashSecret(`${playerId} ${block}`)
  return {
    noteFailure: ({ email, playerId = recordOfUnknown(email) }) =>
      change(store, playerId, (before) => ({
        ...before,
        failed: { count: before.failed.count + 1, lastAt: new Date(clock.now()).toISOString() },
      })),
    noteSuccess: async (playerId, block) => {
      let failed = none
      await change(store, playerId, (before) => {
        failed = before.failed
        const hash = hashOf(playerId, block)
        if (before.failed.count === 0 && before.blocks[0] === hash) return before
        const blocks = [hash, ...before.blocks.filter((other) => other !== hash)].slice(0, blocksPerAccount)
        return { failed: none, unseen: join(before.unseen, before.failed), blocks }
      })
      return failed
    },
    isKnown: async ({ email, playerId = recordOfUnknown(email) }, block) => {
      const found = await store.get(records, playerId)
      return found?.value.blocks.includes(hashOf(playerId, block)) ?? false
    },
  }
}
