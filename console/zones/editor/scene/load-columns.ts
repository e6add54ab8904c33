import type { ZoneBlock } from '../../../../sdk/admin.ts'

type Column = { readonly cx: number; readonly cz: number }

type Options = {
  readonly read: (column: Column, signal: AbortSignal) => AsyncIterable<ZoneBlock>
  /** The next column to load, not counting running requests; undefined for none. */
  readonly next: (isUnderWay: (column: Column) => boolean) => Column | undefined
  readonly take: (column: Column, blocks: readonly ZoneBlock[]) => void
  /** Called with the error of a request, and with undefined after a success. */
  readonly noteFault: (error: unknown) => void
}

/** Loads columns, a few at a time. */
export type ColumnLoader = {
  /** Call when the needed columns change. */
  wake(): void
  /** Applies changes that arrive while their column loads on top of it. */
  change(blocks: readonly ZoneBlock[]): void
  /** Discards running requests and repeats them. */
  restart(): void
  close(): void
}

const atOnce = 2
const retryMs = 3_000

export const nameColumn = ({ cx, cz }: Column): string => `${cx} ${cz}`

export const loadColumns = ({ read, next, take, noteFault }: Options): ColumnLoader => {
  const underWay = new Map<string, ZoneBlock[]>()
  let over = new AbortController()
  let waiting: (() => void)[] = []
  const wake = (): void => {
    const woken = waiting
    waiting = []
    for (const go of woken) go()
  }
  const rest = (milliseconds?: number): Promise<void> =>
    new Promise((resolve) => {
      waiting.push(resolve)
      if (milliseconds !== undefined) setTimeout(resolve, milliseconds)
    })
  const load = async (column: Column, { signal }: AbortController): Promise<void> => {
    const changed: ZoneBlock[] = []
    underWay.set(nameColumn(column), changed)
    try {
      const blocks: ZoneBlock[] = []
      for await (const block of read(column, signal)) blocks.push(block)
      if (signal.aborted) return
      take(column, [...blocks, ...changed])
      noteFault(undefined)
    } catch (error) {
      if (signal.aborted) return
      noteFault(error)
      await rest(retryMs)
    } finally {
      if (underWay.get(nameColumn(column)) === changed) underWay.delete(nameColumn(column))
    }
  }
  const work = async (mine: AbortController): Promise<void> => {
    while (!mine.signal.aborted) {
      const column = next((one) => underWay.has(nameColumn(one)))
      await (column === undefined ? rest() : load(column, mine))
    }
  }
  const begin = (): void => {
    for (let at = 0; at < atOnce; at += 1) void work(over)
  }
  const stop = (): void => {
    over.abort()
    underWay.clear()
    wake()
  }
  begin()
  return {
    wake,
    change: (blocks) => {
      for (const block of blocks)
        underWay.get(nameColumn({ cx: Math.floor(block.x / 16), cz: Math.floor(block.z / 16) }))?.push(block)
    },
    restart: () => {
      stop()
      over = new AbortController()
      begin()
    },
    close: stop,
  }
}
