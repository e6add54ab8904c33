import type { Progress } from '../world/progress.ts'
import { tableOf } from '../world/words.ts'
import type { Digest, Part } from './parts/part.ts'
import type { SourcePlace } from './places/place.ts'

/** One part of the data in both places. */
export type Comparison = { readonly name: string; readonly source: Digest; readonly target: Digest }

export type CompareOptions = {
  readonly source: SourcePlace
  readonly target: SourcePlace
  readonly parts: readonly Part[]
  readonly begin: (what: string, total: number) => Progress
  readonly signal: AbortSignal
}

const isSame = ({ source, target }: Comparison): boolean => source.count === target.count && source.sha256 === target.sha256

/** Reads both places and computes checksums, part by part. */
export const comparePlaces = async (options: CompareOptions): Promise<readonly Comparison[]> => {
  const { source, target, parts, begin, signal } = options
  const compared: Comparison[] = []
  for (const part of parts) {
    signal.throwIfAborted()
    const [total, other] = [await part.count(source), await part.count(target)]
    const progress = begin(`Checking ${part.name}`, total + other)
    const looking = { signal, onSeen: (count: number) => progress.advance(count) }
    try {
      // One after the other: a single progress bar, and the memory of one place.
      compared.push({
        name: part.name,
        source: await part.digest(source, looking),
        target: await part.digest(target, looking),
      })
    } finally {
      progress.end()
    }
  }
  return compared
}

const shownDigits = 16

/** The comparison as a table, and whether both places are the same. */
export const describeComparison = (compared: readonly Comparison[]): { readonly table: string; readonly areEqual: boolean } => {
  const rows = compared.map((one) => [
    one.name,
    one.source.count,
    one.target.count,
    one.source.sha256.slice(0, shownDigits),
    one.target.sha256.slice(0, shownDigits),
    isSame(one) ? 'same' : 'DIFFERENT',
  ])
  return {
    table: tableOf([['', 'source', 'target', 'SHA-256 of source', 'SHA-256 of target', ''], ...rows]),
    areEqual: compared.every(isSame),
  }
}
