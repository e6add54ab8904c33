import type { Random } from '../random.ts'
import type { Target } from './target.ts'

/**
 * An input as named texts, which can be printed and reduced part by part; bytes are latin1. Parts with a name that begins with
 * `?` are optional.
 */
export type Parts = Readonly<Record<string, string>>

export type Outcome = {
  /** The outcome in a word: a status or a close code. */
  readonly seen: string
  /** The reason why the outcome is wrong. */
  readonly fault?: string | undefined
}

/** One kind of inputs. */
export type FuzzKind = {
  readonly name: string
  /** Its relative frequency. */
  readonly weight: number
  /** True if no other input may run at the same time, because it changes their preconditions. */
  readonly alone?: boolean
  /** Whether it works on this store. */
  readonly fits?: (target: Target) => boolean
  make(random: Random, target: Target): Parts
  send(parts: Parts, target: Target): Promise<Outcome>
}

export type Input = { readonly index: number; readonly kind: FuzzKind; readonly parts: Parts }
