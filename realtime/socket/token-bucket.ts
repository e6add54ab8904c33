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
