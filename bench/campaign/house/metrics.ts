/** The metrics of a process at one moment, by name, including labels if any. */
export type Metrics = ReadonlyMap<string, number>

/** Reads `/metrics` of a process; undefined if it does not answer within `withinMs`. */
export const readMetrics = async (port: number, withinMs = 10_000): Promise<Metrics | undefined> => {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { signal: AbortSignal.timeout(withinMs) })
    const lines = (await answer.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]))
  } catch {
    return undefined
  }
}

/** The longest hold of the event loop since the last reading, in milliseconds; its resolution is 10 ms. */
export const lagMsOf = (metrics: Metrics | undefined): number => (metrics?.get('nodejs_eventloop_lag_max_seconds') ?? 0) * 1000

export const mebibytes = (bytes: number | undefined): number => Math.round(((bytes ?? 0) / 2 ** 20) * 10) / 10

const bucketPattern = (name: string): RegExp => new RegExp(`^${name}_bucket\\{le="([^"]+)"\\}$`)

/**
 * The smallest bound of a histogram below which `part` of the observations between two readings are, in its own unit.
 * Observations above the last bound count as that bound.
 */
export const quantileBetween = (name: string, part: number, before: Metrics, after: Metrics): number => {
  const pattern = bucketPattern(name)
  const buckets = [...after].flatMap(([series, count]) => {
    const bound = pattern.exec(series)?.[1]
    return bound === undefined
      ? []
      : [{ bound: Number(bound.replace('+Inf', 'Infinity')), count: count - (before.get(series) ?? 0) }]
  })
  const total = Math.max(0, ...buckets.map(({ count }) => count))
  const largest = Math.max(0, ...buckets.map(({ bound }) => bound).filter(Number.isFinite))
  return Math.min(largest, buckets.find(({ count }) => count >= total * part)?.bound ?? 0)
}

/** The increase of a counter between two readings. */
export const riseOf = (name: string, before: Metrics, after: Metrics): number => (after.get(name) ?? 0) - (before.get(name) ?? 0)
