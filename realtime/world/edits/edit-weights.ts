/** Of what waits to be stored, where an edit counts eight and each block of it one: for everybody together, and for each player. */
export type EditLimits = { readonly total: number; readonly each: number }

export const defaultEditLimits: EditLimits = { total: 32_768, each: 4096 }

/** How much waits to be stored; bounds what has to be kept for undoing it. */
export type EditWeights = {
  add(by: string, blocks: number): void
  remove(by: string, blocks: number): void
  isFull(by: string): boolean
}

const weightOf = (blocks: number): number => 8 + blocks

export const createEditWeights = ({ total, each }: EditLimits): EditWeights => {
  const byPlayer = new Map<string, number>()
  let sum = 0

  const weigh = (by: string, more: number): void => {
    const weight = (byPlayer.get(by) ?? 0) + more
    sum += more
    if (weight === 0) byPlayer.delete(by)
    else byPlayer.set(by, weight)
  }

  return {
    add: (by, blocks) => weigh(by, weightOf(blocks)),
    remove: (by, blocks) => weigh(by, -weightOf(blocks)),
    isFull: (by) => sum >= total || (byPlayer.get(by) ?? 0) >= each,
  }
}
