/** The series of a process: the names of labels by the metric's name in Prometheus. */
export type Scraped = ReadonlyMap<string, ReadonlySet<string>>

const samplePattern = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? \S+$/

const labelNames = (text: string): string[] => [...text.matchAll(/(\w+)="(?:[^"\\]|\\.)*"/g)].map(([, name = '']) => name)

/** Reads `/metrics` of a process. */
export const scrape = async (port: number): Promise<Scraped> => {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const found = new Map<string, Set<string>>()
  for (const line of text.split('\n')) {
    const [, name, labels = ''] = line.startsWith('#') ? [] : (samplePattern.exec(line) ?? [])
    if (name !== undefined) found.set(name, new Set([...(found.get(name) ?? []), ...labelNames(labels)]))
  }
  return found
}
