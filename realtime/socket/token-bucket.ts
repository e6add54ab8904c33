import type { ServerConfig } from '../../shared/domain/configs/server/server-config.ts'

/**
 * A budget that refills evenly up to its burst. Whole thousandths of tokens, and whole milliseconds of a clock that never goes back. Small
 * integers are changed in place for each message; fractions would be objects of their own.
 *
 * `credit` is for messages that arrive at once because the server was late: what the rate allows in that time, beyond the burst. It is
 * spent first and expires as fast as the budget refills.
 */
export type TokenBucket = { thousandths: number; credit: number; atMs: number; lateMs: number }

export type BucketLimits = Pick<ServerConfig['realtime'], 'messagesPerSecond' | 'messageBurst'>

/** A longer stall than this gives no more credit. */
const creditMsMax = 30_000

/** Full. `lateMs`: how late the server was in all, at this moment (`Lateness`). */
export const createTokenBucket = ({ messageBurst }: BucketLimits, nowMs: number, lateMs: number): TokenBucket => ({
  thousandths: messageBurst * 1000,
  credit: 0,
  atMs: Math.floor(nowMs),
  lateMs,
})

/** Whether `cost` could be paid; nothing is taken when not. The limits count from this call on. */
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
