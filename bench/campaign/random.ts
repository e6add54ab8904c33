/** Repeatable choices: the same seed gives the same sequence. */
export type Random = {
  /** 0 up to, but not including, 1. */
  next(): number
  /** A whole number from `min` to `max`, both included. */
  int(min: number, max: number): number
  chance(part: number): boolean
  pick<T>(from: readonly T[]): T
}

/** Hashes numbers and names to 32 bits (FNV-1a), so that each input of a campaign has its own sequence. */
const mix = (parts: readonly (number | string)[]): number => {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(parts.join('\0'))) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash >>> 0
}

/** Mulberry32, seeded by all arguments: `createRandom(seed, 'kill9', round)`. */
export const createRandom = (...parts: readonly (number | string)[]): Random => {
  let state = mix(parts)
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1))
  return {
    next,
    int,
    chance: (part) => next() < part,
    pick: (from) => {
      const picked = from[int(0, from.length - 1)]
      if (picked === undefined && from.length === 0) throw new Error('nothing to pick from')
      return picked as (typeof from)[number]
    },
  }
}
