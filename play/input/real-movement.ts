/** The movement of the mouse from pointer events, with coalesced events if the browser has them. */
export type Movement = {
  readonly movementX: number
  readonly movementY: number
  readonly timeStamp: number
  getCoalescedEvents?(): readonly Movement[]
}

type Step = readonly [dx: number, dy: number]

/** Some systems report one huge step when the pointer is locked or warped. */
const spikePixels = 350
/** In a fast turn, neighbouring steps go the same way and are at least this fraction as large. */
const bearsOutPart = 0.1
/** An older event belongs to another movement. */
const neighbourMs = 250

const nowhere: Step = [0, 0]
const add = ([x, y]: Step, [dx, dy]: Step): Step => [x + dx, y + dy]
const stepOf = ({ movementX, movementY }: Movement): Step => [movementX, movementY]

const bearsOut = (neighbour: Step, huge: Step): boolean => {
  const along = neighbour[0] * huge[0] + neighbour[1] * huge[1]
  return along >= bearsOutPart * (huge[0] ** 2 + huge[1] ** 2)
}

/** A slow page gets many steps in one event. Each is checked, unless they do not add up to the event. */
const partsOf = (event: Movement): readonly Step[] => {
  const parts = (event.getCoalescedEvents?.() ?? []).map(stepOf)
  const [x, y] = parts.reduce(add, nowhere)
  // Each step may be rounded.
  const isWhole = Math.max(Math.abs(x - event.movementX), Math.abs(y - event.movementY)) <= parts.length
  return isWhole && parts.length > 0 ? parts : [stepOf(event)]
}

/**
 * Filters the movement of a locked mouse. A huge step counts only if the step before or after goes the same way. In the second case both
 * count together.
 */
export const createRealMovement = (): ((event: Movement) => Step) => {
  let last = nowhere
  let lastMs = Number.NEGATIVE_INFINITY
  let doubtful = nowhere
  return (event) => {
    if (event.timeStamp - lastMs > neighbourMs) {
      last = nowhere
      doubtful = nowhere
    }
    lastMs = event.timeStamp
    let real = nowhere
    for (const step of partsOf(event)) {
      const isHuge = Math.max(Math.abs(step[0]), Math.abs(step[1])) >= spikePixels
      const isBorneOut = bearsOut(last, step)
      if (doubtful !== nowhere && bearsOut(step, doubtful)) real = add(real, doubtful)
      doubtful = nowhere
      if (isHuge && !isBorneOut) doubtful = step
      else real = add(real, step)
      last = step
    }
    return real
  }
}
