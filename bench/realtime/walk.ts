/** A seeded walk, the same for every measured server: players on a square walk straight and turn now and then. */
export type Walk = {
  readonly x: Float64Array
  readonly z: Float64Array
  readonly yaw: Float64Array
  /** Moves player `index` forward by `seconds`. */
  step(index: number, seconds: number): void
}

export type WalkPlan = {
  readonly players: number
  /** Side of the square around the origin, in blocks; 0: everyone starts at one point. */
  readonly sideBlocks: number
  readonly seed: number
}

const blocksPerSecond = 4.3

/** A linear congruential generator (Numerical Recipes' constants): repeatable, and good enough for a walk. */
const createRandom = (seed: number) => {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

export const createWalk = ({ players, sideBlocks, seed }: WalkPlan): Walk => {
  const random = createRandom(seed)
  const half = Math.max(sideBlocks / 2, 8)
  const x = Float64Array.from({ length: players }, () => (random() - 0.5) * sideBlocks)
  const z = Float64Array.from({ length: players }, () => (random() - 0.5) * sideBlocks)
  const yaw = Float64Array.from({ length: players }, () => random() * 360)
  const step = (index: number, seconds: number) => {
    if (random() < 0.02) yaw[index] = random() * 360
    const angle = ((yaw[index] ?? 0) * Math.PI) / 180
    const nextX = (x[index] ?? 0) + Math.cos(angle) * blocksPerSecond * seconds
    const nextZ = (z[index] ?? 0) + Math.sin(angle) * blocksPerSecond * seconds
    if (Math.abs(nextX) > half || Math.abs(nextZ) > half) yaw[index] = random() * 360
    else {
      x[index] = nextX
      z[index] = nextZ
    }
  }
  return { x, z, yaw, step }
}
