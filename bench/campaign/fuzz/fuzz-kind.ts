import type { Random } from '../random.ts'
import type { Target } from './target.ts'

/** An input as named texts, so that it can be printed, and made smaller part by part; bytes are written as latin1. Those whose name begins with `?` may be left out. */
export type Parts = Readonly<Record<string, string>>

export type Outcome = {
  /** What came of it, in a word: a status, a close code. */
  readonly seen: string
  /** Why that must not be. */
  readonly fault?: string | undefined
}

/** One kind of inputs. */
export type FuzzKind = {
  readonly name: string
  /** How often it is chosen, beside the others'. */
  readonly weight: number
  /** Sent while nothing else is: it changes what all others stand on. */
  readonly alone?: boolean
  /** Whether it makes sense on this store. */
  readonly fits?: (target: Target) => boolean
  make(random: Random, target: Target): Parts
  send(parts: Parts, target: Target): Promise<Outcome>
}

export type Input = { readonly index: number; readonly kind: FuzzKind; readonly parts: Parts }
