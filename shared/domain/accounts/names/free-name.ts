import { AppError } from '../../../kernel/errors.ts'
import type { Ids } from '../../../kernel/ids.ts'
import { displayNameLengthMax } from '../display-name.ts'

/** Suffixes tried in order before random ones, so that an account with a common name needs few tries. */
const countedUpTo = 4
const triesMax = 30

const suffixOf = (ids: Pick<Ids, 'uuid'>, attempt: number): string => {
  if (attempt <= countedUpTo) return attempt === 1 ? '' : String(attempt)
  return String(Number.parseInt(ids.uuid().slice(0, 8), 16) % 1_000_000)
}

/** Tries the name, then `name2` to `name4`, then the name with a random number, until `change` accepts one. */
export const withFreeName = async <T>(
  ids: Pick<Ids, 'uuid'>,
  name: string,
  change: (displayName: string) => Promise<T>,
): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    const suffix = suffixOf(ids, attempt)
    try {
      return await change([...name].slice(0, displayNameLengthMax - suffix.length).join('') + suffix)
    } catch (error) {
      if (!(error instanceof AppError && error.slug === 'display-name-taken') || attempt === triesMax) throw error
    }
  }
}
