import type { ServerConfig } from '../../shared/domain/configs/server/server-config.ts'

/**
 * A budget that refills evenly up to its burst, in thousandths of tokens and milliseconds of the monotonic clock. Small integers
 * change in place; fractions would allocate an object for each message.
 *
 * `credit` covers messages that arrive together because the server was late. It is the rate times that time, in addition to the
 * burst. It is spent first, and expires as fast as the budget refills.
 */
export type TokenBucket = { thousandths: number; credit: number; atMs: number; lateMs: number }

export type BucketLimits = Pick<ServerConfig['realtime'], 'messagesPerSecond' | 'messageBurst'>

/** A longer stall does not give more credit. */
const creditMsMax = 30_000

/** A full bucket. `lateMs` is the current total lateness of the server (`Lateness`). */
export const createTokenBucket = ({ messageBurst }: BucketLimits, nowMs: number, lateMs: number): TokenBucket => ({
  thousandths: messageBurst * 1000,
  credit: 0,
  atMs: Math.floor(nowMs),
  lateMs,
})

/** Takes `cost` tokens if there are enough, otherwise none. Returns whether it did. The limits apply from this call on. */
export const takeTokens = (
  bucket: TokenBucket,
  { messagesPerSecond, messageBurst }: BucketLimits,
  cost: number,
  nowMs: number,
  lateMs: number,
): boolean => {
  const atMs = Math.floor(nowMs)
  const refill = (atMs - bucket.atMs) * messagesPerSecond
  const level = Math.min(messageBurst * 1000, bucket.thousandths + refill)
  const lateNow = Math.min(creditMsMax, lateMs - bucket.lateMs) * messagesPerSecond
  const credit = Math.min(creditMsMax * messagesPerSecond, Math.max(0, bucket.credit - refill) + lateNow)
  const isPaid = cost * 1000 <= level + credit
  const fromCredit = isPaid ? Math.min(credit, cost * 1000) : 0
  bucket.credit = credit - fromCredit
  bucket.thousandths = isPaid ? level - (cost * 1000 - fromCredit) : level
  bucket.atMs = atMs
  bucket.lateMs = lateMs
  return isPaid
}

/**
 * Pays for messages that the budget cannot pay for, while edits of the client are refused with `busy`. It bounds the cost of these
 * answers: it holds ten seconds of messages and refills at their rate. It ends after ten seconds without a pause. In thousandths of
 * tokens and whole milliseconds, like TokenBucket.
 */
export type Overdraft = { usedThousandths: number; usedAtMs: number; sinceMs: number; refusedAtMs: number }

/** A client whose edits are refused for longer, without a pause, is closed. */
const floodMs = 10_000

/** A time without refused edits that ends a flood, in milliseconds. */
const pauseMs = 1_000

/** The least size of the overdraft: about 120 single edits at once. */
const thousandthsMin = 128_000

/** A refused edit costs one token and one more for each of these bytes, because it is decoded first. */
const bytesPerToken = 1_024

export const createOverdraft = (): Overdraft => ({
  usedThousandths: 0,
  usedAtMs: 0,
  sinceMs: Number.NEGATIVE_INFINITY,
  refusedAtMs: Number.NEGATIVE_INFINITY,
})

const draw = (overdraft: Overdraft, { messagesPerSecond }: BucketLimits, thousandths: number, nowMs: number): boolean => {
  const atMs = Math.floor(nowMs)
  const used = Math.max(0, overdraft.usedThousandths - (atMs - overdraft.usedAtMs) * messagesPerSecond) + thousandths
  overdraft.usedThousandths = used
  overdraft.usedAtMs = atMs
  return used <= thousandthsMin + floodMs * messagesPerSecond
}

const isInFlood = ({ refusedAtMs }: Overdraft, nowMs: number): boolean => Math.floor(nowMs) - refusedAtMs <= pauseMs

/** Pays for a message if an edit was refused a moment ago. Returns whether it did. */
export const payFromOverdraft = (overdraft: Overdraft, limits: BucketLimits, cost: number, nowMs: number): boolean =>
  isInFlood(overdraft, nowMs) && draw(overdraft, limits, cost * 1000, nowMs)

/** Pays for the refusal of edits of that size. Returns false if there are too many, or for too long without a pause. */
export const payForRefusal = (overdraft: Overdraft, limits: BucketLimits, bytes: number, nowMs: number): boolean => {
  const atMs = Math.floor(nowMs)
  if (!isInFlood(overdraft, nowMs)) overdraft.sinceMs = atMs
  overdraft.refusedAtMs = atMs
  const thousandths = 1000 + Math.floor((bytes * 1000) / bytesPerToken)
  return draw(overdraft, limits, thousandths, nowMs) && atMs - overdraft.sinceMs <= floodMs
}
