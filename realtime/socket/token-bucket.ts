import type { ServerConfig } from '../../shared/configs/server/server-config.ts'

/**
 * A budget that refills evenly up to its burst. Whole thousandths of tokens, and whole milliseconds of a clock that never goes back. Two small integers are changed in place for each message; fractions would be objects of their own.
 */
export type TokenBucket = { thousandths: number; atMs: number }

export type BucketLimits = Pick<ServerConfig['realtime'], 'messagesPerSecond' | 'messageBurst'>

/** Full. */
export const createTokenBucket = ({ messageBurst }: BucketLimits, nowMs: number): TokenBucket => ({
  thousandths: messageBurst * 1000,
  atMs: Math.floor(nowMs),
})

/** Whether `cost` could be paid; nothing is taken when not. The limits count from this call on. */
export const takeTokens = (
  bucket: TokenBucket,
  { messagesPerSecond, messageBurst }: BucketLimits,
  cost: number,
  nowMs: number,
): boolean => {
  const atMs = Math.floor(nowMs)
  const level = Math.min(messageBurst * 1000, bucket.thousandths + (atMs - bucket.atMs) * messagesPerSecond)
  const isPaid = cost * 1000 <= level
  bucket.thousandths = isPaid ? level - cost * 1000 : level
  bucket.atMs = atMs
  return isPaid
}
