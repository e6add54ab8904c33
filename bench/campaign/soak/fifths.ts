import { quantile, type Seen } from '../honest/watch.ts'

export type Fifth = {
  readonly rssMiB: number
  readonly ownMiB: number
  /** The minimum in use, after garbage collection. */
  readonly heapMiB: number
  readonly handles: number
  readonly tickP99Ms: number
  readonly tickHertz: number
  readonly framesPerSecond: number
  readonly pingP99Ms: number
  readonly healthzP99Ms: number
  readonly lagMaxMs: number
}

const least = (values: readonly number[]): number => Math.min(...values)
const most = (values: readonly number[]): number => Math.max(...values)
const middle = (values: readonly number[]): number => quantile(values, 0.5)

/** Splits a run into five parts of the same length, or fewer with few samples. */
export const inFifths = (samples: readonly Seen[]): readonly Fifth[] => {
  const size = Math.max(1, Math.floor(samples.length / 5))
  return Array.from({ length: Math.min(5, samples.length) }, (_, i) => {
    const part = samples.slice(i * size, i === 4 ? undefined : (i + 1) * size)
    const of = (name: keyof Seen) => part.map((seen) => seen[name])
    return {
      rssMiB: middle(of('rssMiB')),
      ownMiB: middle(of('ownMiB')),
      heapMiB: least(of('heapMiB')),
      handles: middle(of('handles')),
      tickP99Ms: most(of('tickP99Ms')),
      tickHertz: middle(of('tickHertz')),
      framesPerSecond: middle(of('framesPerSecond')),
      pingP99Ms: middle(of('pingP99Ms')),
      healthzP99Ms: middle(of('healthzP99Ms')),
      lagMaxMs: most(of('lagMaxMs')),
    }
  })
}

/** Memory may rise while caches fill: by a fifth plus a fixed number of mebibytes, from the second fifth to the last. */
const risePart = 1.2
const riseMiB = 40
const ratePart = 0.6

/** Compares the second fifth, when everything is warm, with the last. */
export const judgeFifths = (fifths: readonly Fifth[]): readonly string[] => {
  const [, second, third, fourth, last] = fifths
  if (second === undefined || third === undefined || fourth === undefined || last === undefined) return []
  const rises = (name: 'heapMiB' | 'ownMiB'): boolean =>
    last[name] > second[name] * risePart + riseMiB &&
    third[name] > second[name] &&
    fourth[name] > third[name] &&
    last[name] > fourth[name]
  return [
    rises('heapMiB') ? `the heap rises from fifth to fifth: ${fifths.map(({ heapMiB }) => heapMiB).join(', ')} MiB` : '',
    rises('ownMiB') ? `memory rises from fifth to fifth: ${fifths.map(({ ownMiB }) => ownMiB).join(', ')} MiB` : '',
    last.handles > second.handles * 1.5 + 20 ? `open handles rise: ${fifths.map(({ handles }) => handles).join(', ')}` : '',
    last.framesPerSecond < second.framesPerSecond * ratePart && last.tickHertz < 15
      ? `frames drop: ${fifths.map(({ framesPerSecond }) => framesPerSecond).join(', ')} a second`
      : '',
  ].filter((fault) => fault !== '')
}
