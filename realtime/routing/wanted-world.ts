import { AppError } from '../../shared/kernel/errors.ts'

const worldName = /^[A-Za-z0-9_-]{1,64}$/

/** The world that `?world=` of an upgrade names; undefined where it names none. Throws AppError `invalid` for what is no name of a world. */
export const readWantedWorld = (url: string): string | undefined => {
  const at = url.indexOf('?')
  if (at === -1) return undefined
  const names = new URLSearchParams(url.slice(at + 1)).getAll('world')
  if (names.every((name) => worldName.test(name)) && names.length <= 1) return names[0]
  throw new AppError('invalid', 'bad-request', '"world" must be given once, as 1 to 64 letters, digits, _ or -.')
}
