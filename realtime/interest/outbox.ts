import type { Viewer } from './viewer.ts'

/**
 * The frames of one tick, written out together once all are made: between two writes the system's code would push ours, and what it
 * works on, out of the processor's caches, and the reader would go to sleep and have to be woken for each frame.
 */
export type Outbox = {
  /** A frame that must arrive. */
  push(viewer: Viewer, frame: Uint8Array): void
  /** A frame of movement; a viewer that reads too slowly gets what `changesFor` says instead. */
  pushMovement(viewer: Viewer, frame: Uint8Array): void
  /** Writes all and forgets them; true when one of them is still being read by the system. */
  writeOut(): boolean
}

export const createOutbox = (changesFor: (viewer: Viewer) => Uint8Array | undefined): Outbox => {
  const viewers: Viewer[] = []
  const frames: Uint8Array[] = []
  const isMovement: boolean[] = []

  const add = (viewer: Viewer, frame: Uint8Array, movement: boolean): void => {
    viewers.push(viewer)
    frames.push(frame)
    isMovement.push(movement)
  }

  const writeMovement = (viewer: Viewer, frame: Uint8Array): boolean => {
    const fate = viewer.sink.sendMovement(frame)
    if (fate !== 'left-out') return fate === 'waiting'
    const changes = changesFor(viewer)
    return changes !== undefined && viewer.sink.sendFrame(changes) === 'waiting'
  }

  return {
    push: (viewer, frame) => add(viewer, frame, false),
    pushMovement: (viewer, frame) => add(viewer, frame, true),
    writeOut: () => {
      let isWaiting = false
      for (let i = 0; i < frames.length; i += 1) {
        const viewer = viewers[i]
        const frame = frames[i]
        if (viewer === undefined || frame === undefined) continue
        const waits = isMovement[i] === true ? writeMovement(viewer, frame) : viewer.sink.sendFrame(frame) === 'waiting'
        isWaiting = waits || isWaiting
      }
      viewers.length = 0
      frames.length = 0
      isMovement.length = 0
      return isWaiting
    },
  }
}
