/**
 * The possible values of each key after a crash: the last acknowledged one, and later unanswered ones. Values are compared as
 * JSON.
 */
export type Ledger = {
  /** Records a request to change `key` to `value`; each key has one writer at a time. */
  ask(key: string, value: unknown): void
  acknowledge(key: string, value: unknown): void
  /** Records a refusal: nothing has changed. */
  refuse(key: string): void
  /**
   * Compares `key` with the stored value, where null means absent. Returns the fault, or undefined. From here on the stored value
   * is the expected one.
   */
  compare(key: string, found: unknown): string | undefined
  /** Whether that value has an unanswered request. */
  mayBe(key: string, value: unknown): boolean
  /** Keys of that kind written since the last call, or all that were ever acknowledged. */
  touched(kind: string): readonly string[]
  all(kind: string): readonly string[]
  acknowledged(): number
  compared(): number
}

type Entry = { sure: string; readonly maybe: Set<string> }

const textOf = (value: unknown): string => JSON.stringify(value ?? null)
const kindOf = (key: string): string => key.slice(0, key.indexOf(' '))

/** Keys are `kind name`. A key that was never written is null. */
export const createLedger = (): Ledger => {
  const entries = new Map<string, Entry>()
  const touched = new Set<string>()
  let acknowledged = 0
  let compared = 0
  const entryOf = (key: string): Entry => {
    const entry = entries.get(key) ?? { sure: 'null', maybe: new Set<string>() }
    entries.set(key, entry)
    return entry
  }
  return {
    ask: (key, value) => {
      entryOf(key).maybe.add(textOf(value))
      touched.add(key)
    },
    acknowledge: (key, value) => {
      const entry = entryOf(key)
      entry.sure = textOf(value)
      entry.maybe.clear()
      touched.add(key)
      acknowledged += 1
    },
    refuse: (key) => entryOf(key).maybe.clear(),
    compare: (key, found) => {
      const entry = entryOf(key)
      const text = textOf(found)
      const isRight = text === entry.sure || entry.maybe.has(text)
      const why = isRight
        ? undefined
        : `found ${text.slice(0, 300)}, acknowledged ${entry.sure.slice(0, 300)}, asked for ${entry.maybe.size} more`
      entry.sure = text
      entry.maybe.clear()
      compared += 1
      return why
    },
    mayBe: (key, value) => entries.get(key)?.maybe.has(textOf(value)) === true,
    touched: (kind) => {
      const keys = [...touched].filter((key) => kindOf(key) === kind)
      for (const key of keys) touched.delete(key)
      return keys
    },
    all: (kind) => [...entries.keys()].filter((key) => kindOf(key) === kind),
    acknowledged: () => acknowledged,
    compared: () => compared,
  }
}
