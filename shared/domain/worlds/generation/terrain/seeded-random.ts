const wordSize = 4_294_967_296

/** A safe integer as two 32-bit words. Different integers have different words. */
export type SeedWords = { readonly low: number; readonly high: number }

/** Splits a seed, so that integer arithmetic can use all of it. */
export const splitSeed = (seed: number): SeedWords => ({ low: seed | 0, high: Math.floor(seed / wordSize) | 0 })

/** A 32-bit integer in which each bit depends on each bit of the input. Different inputs give different results. */
export const mixBits = (bits: number): number => {
  let mixed = bits ^ (bits >>> 16)
  mixed = Math.imul(mixed, 0x21f0aaad)
  mixed ^= mixed >>> 15
  mixed = Math.imul(mixed, 0x735a2d97)
  return mixed ^ (mixed >>> 15)
}

/**
 * Numbers in [0, 1) from the "small fast counting" generator of 32 bits (Chris Doty-Humphrey, PractRand). Each stream of a seed
 * differs.
 */
export const createRandom = (seed: SeedWords, stream: number): (() => number) => {
  let a = seed.low
  let b = seed.high
  let c = stream | 0
  let count = 1
  const next = (): number => {
    const sum = (a + b + count) | 0
    count = (count + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return (sum >>> 0) / wordSize
  }
  for (let round = 0; round < 16; round += 1) next()
  return next
}

/** 32 bits for each place of the plane. The same seed and stream give the same bits, in any order of calls. */
export const createPlaceHash = ({ low, high }: SeedWords, stream: number): ((x: number, z: number) => number) => {
  const first = mixBits(low ^ mixBits(stream))
  const second = mixBits(high + 0x9e3779b9)
  return (x, z) => mixBits(mixBits(mixBits(first + Math.imul(x, 0x85ebca6b)) ^ second) + Math.imul(z, 0xc2b2ae35))
}
