import type { Everybody } from '../state/hud.ts'

const textAt = (value: unknown, key: string): string | undefined => {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
  return typeof found === 'string' ? found : undefined
}

/** The players in an answer to `/who`, which lists the first hundred; undefined for other answers. */
export const readPeople = (data: unknown): Everybody | undefined => {
  const [list, count]: readonly unknown[] =
    typeof data === 'object' && data !== null ? [Reflect.get(data, 'players'), Reflect.get(data, 'count')] : []
  if (!Array.isArray(list)) return undefined
  const people = list.flatMap((one: unknown) => {
    const [displayName, world] = [textAt(one, 'displayName'), textAt(one, 'world')]
    return displayName === undefined ? [] : [{ displayName, world }]
  })
  return { people, count: typeof count === 'number' ? Math.max(count, people.length) : people.length }
}
