/** Frames per second and the longest frame time of the last moment. */
export type FrameMeter = {
  note(frameMs: number): void
  take(): { readonly frames: number; readonly worstMs: number }
}

export const createFrameMeter = (now: () => number): FrameMeter => {
  let [count, worst, since] = [0, 0, now()]
  return {
    note: (frameMs) => {
      count += 1
      worst = Math.max(worst, frameMs)
    },
    take: () => {
      const seconds = Math.max(0.001, (now() - since) / 1000)
      const taken = { frames: Math.round(count / seconds), worstMs: Math.round(worst) }
      ;[count, worst, since] = [0, 0, now()]
      return taken
    },
  }
}
