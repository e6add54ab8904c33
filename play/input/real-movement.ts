/** How far the mouse went, as events of pointers tell it; with the parts that a browser joined into one, where it tells them. */
export type Movement = {
  readonly movementX: number
  readonly movementY: number
  readonly timeStamp: number
  getCoalescedEvents?(): readonly Movement[]
}

type Step = readonly [dx: number, dy: number]

/** Some systems report one huge step when the pointer is caught or warped. */
const spikePixels = 350
/** Who turns fast has neighbours of such a step that go the same way, and at least this part as far. */
const bearsOutPart = 0.1
/** An older event was of another movement. */
const neighbourMs = 250

const nowhere: Step = [0, 0]
const add = ([x, y]: Step, [dx, dy]: Step): Step => [x + dx, y + dy]
const stepOf = ({ movementX, movementY }: Movement): Step => [movementX, movementY]

const bearsOut = (neighbour: Step, huge: Step): boolean => {
  const along = neighbour[0] * huge[0] + neighbour[1] * huge[1]
  return along >= bearsOutPart * (huge[0] ** 2 + huge[1] ** 2)
}

/** A slow page gets many steps as one event: each of them is judged, unless they add up to something else. */
const partsOf = (event: Movement): readonly Step[] => {
  const parts = (event.getCoalescedEvents?.() ?? []).map(stepOf)
  const [x, y] = parts.reduce(add, nowhere)
  // Each may be rounded.
  const isWhole = Math.max(Math.abs(x - event.movementX), Math.abs(y - event.movementY)) <= parts.length
  return isWhole && parts.length > 0 ? parts : [stepOf(event)]
}

/**
 * Tells how far to turn for each event of a locked mouse, without the glitches of browsers: a huge step counts where the step before
 * it or the one after it goes the same way. In the second case it counts together with that one.
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
