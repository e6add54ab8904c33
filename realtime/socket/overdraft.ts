import type { BucketLimits } from './token-bucket.ts'

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
