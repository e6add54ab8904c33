import type { MadeChange } from '../../shared/domain/history/block-change.ts'

const builders = 50
const types = ['stone', 'planks', 'glass', 'grass', 'bricks', 'air']

type Builder = { x: number; y: number; z: number; readonly by: string }

/** A repeatable sequence of random numbers. */
const createDice = (seed: number) => {
  let state = seed
  return (sides: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return Math.floor(((state >>> 8) / 2 ** 24) * sides)
  }
}

/** Builders who place blocks next to each other, and move within 1,024 blocks after some hundreds. */
export const createSession = () => {
  const roll = createDice(7)
  const crowd: Builder[] = Array.from({ length: builders }, (_, n) => ({
    x: roll(1024),
    y: 64,
    z: roll(1024),
    by: `builder-${n}`,
  }))
  const next = (): MadeChange => {
    const one = crowd[roll(builders)]
    if (one === undefined) throw new Error('there are builders')
    if (roll(300) === 0) Object.assign(one, { x: roll(1024), y: 60 + roll(20), z: roll(1024) })
    else if (roll(8) === 0) one.y = Math.min(250, one.y + 1)
    else if (roll(2) === 0) one.x += roll(3) - 1
    else one.z += roll(3) - 1
    const to = types[roll(types.length)] ?? 'stone'
    return { x: one.x, y: one.y, z: one.z, by: one.by, via: 'game', from: to === 'air' ? 'stone' : 'air', to }
  }
  return { roll, next }
}
