import type { FrameSink } from '../protocol/frame-sink.ts'
import type { Viewer } from './viewer.ts'

/**
 * The frames of one tick, written out together once all are made. Between two writes the system's code would push ours, and its data, out
 * of the processor's caches. The reader would go to sleep and have to be woken for each frame.
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
  /** Theirs, so that a viewer itself, out of the caches by then, is not looked at again. */
  const sinks: FrameSink[] = []
  const frames: Uint8Array[] = []
  const isMovement: boolean[] = []

  const add = (viewer: Viewer, frame: Uint8Array, movement: boolean): void => {
    viewers.push(viewer)
    sinks.push(viewer.sink)
    frames.push(frame)
    isMovement.push(movement)
  }

  const writeMovement = (at: number, sink: FrameSink, frame: Uint8Array): boolean => {
    const fate = sink.sendMovement(frame)
    if (fate !== 'left-out') return fate === 'waiting'
    const viewer = viewers[at]
    const changes = viewer && changesFor(viewer)
    return changes !== undefined && sink.sendFrame(changes) === 'waiting'
  }

  return {
    push: (viewer, frame) => add(viewer, frame, false),
    pushMovement: (viewer, frame) => add(viewer, frame, true),
    writeOut: () => {
      let isWaiting = false
      for (let i = 0; i < frames.length; i += 1) {
        const sink = sinks[i]
        const frame = frames[i]
        if (sink === undefined || frame === undefined) continue
        const waits = isMovement[i] === true ? writeMovement(i, sink, frame) : sink.sendFrame(frame) === 'waiting'
        isWaiting = waits || isWaiting
      }
      viewers.length = 0
      sinks.length = 0
      frames.length = 0
      isMovement.length = 0
      return isWaiting
    },
  }
}
