import type { ConfigFile } from '../declare/config-file.ts'
import type { ConfigChange } from './config-change.ts'
import { type Difference, findDifferences, isSame } from './list-changes-differences.ts'

/** Changes that are listed; the rest is counted. */
export const changesMax = 500

export type ConfigChanges = {
  readonly changes: readonly ConfigChange[]
  /** How many there are besides those listed. */
  readonly omitted: number
}

/** The values of a config file that a change is about. */
export type ConfigStates<T> = {
  /** What this process goes by. */
  readonly inForce: T
  /** What the stored text says. */
  readonly stored: T
  readonly next: T
}

/**
 * What `next` changes of `stored`, and what each change takes to be in force; at most 500, in the order of the file. Entries of lists are
 * matched by their names. So an entry that comes or goes is one change wherever it stands, and so is a list in another order. Takes time
 * proportional to the size of both.
 */
export const listChanges = <T>(file: ConfigFile<T>, { inForce, stored, next }: ConfigStates<T>): ConfigChanges => {
  const reloaded = file.afterReload(inForce, next)
  const effectOf = ({ pointer, to, after }: Difference): ConfigChange['effect'] => {
    if (file.isNote(pointer)) return 'now'
    return isSame(after, to) ? 'reload' : 'restart'
  }
  const changes: ConfigChange[] = []
  let omitted = 0
  for (const difference of findDifferences([stored, next, reloaded])) {
    if (changes.length === changesMax) omitted += 1
    else {
      const { pointer, from = null, to = null } = difference
      changes.push({ pointer, from, to, effect: effectOf(difference) })
    }
  }
  return { changes, omitted }
}
