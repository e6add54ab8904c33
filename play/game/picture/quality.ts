/** The quality: resolution scale and view distance. */
export type Quality = { readonly scale: number; readonly viewRadius: number }

/** Finds the quality at which a machine draws 30 frames a second. */
export type Adapting = {
  /** Records a frame time, and the least possible one at the wanted frame rate. Returns a new quality when it is time for one. */
  note(frameMs: number, nowMs: number, leastMs?: number): Quality | undefined
  /** Pauses the measurement for a while, and skips the next frame time. */
  rest(): void
  /** The quality that the player wants. */
  wish(quality: Quality): Quality
  current(): Quality
}

const sampleMs = 1_500
const slowMs = 36
/** A 60 Hz screen shows a frame each 16.7 ms, however fast the machine is. Other rates are inferred from the best frame time. */
const fastMs = 18
/** Tolerance for slightly late frames. */
const lateness = 1.08
/** About three minutes. A phone that saves its battery lowers its frame rate. */
const screenSamples = 128
/** Raising the quality takes longer than lowering it, and twice as long after each failed attempt. */
const fastSamples = 6
const fastSamplesMax = 192
const triedMs = 10_000
const scales = [0.4, 0.55, 0.75, 1, 1.5, 2]
const radiusMin = 4

const medianOf = (values: readonly number[]): number => [...values].sort((one, other) => one - other)[values.length >> 1] ?? 0

/** The frame time of the screen, from its recent best. */
const createScreen = () => {
  const medians: number[] = []
  return {
    note: (frames: readonly number[]): void => {
      medians.push(medianOf(frames))
      if (medians.length > screenSamples) medians.shift()
    },
    // Screens show at least 30 frames a second; slower ones mean a slow machine.
    steadyMs: (): number => Math.min(slowMs, ...medians),
  }
}

/** With `isOn` false, the wanted quality stays. */
export const createAdapting = (first: Quality, isOn: () => boolean): Adapting => {
  let wished = first
  let quality = first
  const screen = createScreen()
  let frames: number[] = []
  let sinceMs: number | undefined = 0
  let calm = 0
  let finerAtMs = Number.NEGATIVE_INFINITY
  let needed = fastSamples

  const coarser = (): Quality => {
    const lower = scales.filter((scale) => scale < quality.scale).at(-1)
    if (quality.viewRadius > radiusMin && quality.scale <= 1) return { ...quality, viewRadius: quality.viewRadius - 1 }
    return lower === undefined ? quality : { ...quality, scale: lower }
  }
  const finer = (): Quality => {
    const higher = scales.find((scale) => scale > quality.scale)
    if (quality.scale < wished.scale && higher !== undefined) return { ...quality, scale: Math.min(higher, wished.scale) }
    return quality.viewRadius < wished.viewRadius ? { ...quality, viewRadius: quality.viewRadius + 1 } : quality
  }
  const change = (next: Quality): Quality | undefined => {
    calm = 0
    if (next.scale === quality.scale && next.viewRadius === quality.viewRadius) return undefined
    quality = next
    return quality
  }

  return {
    note: (frameMs, nowMs, leastMs = 0) => {
      if (sinceMs === undefined) {
        sinceMs = nowMs
        return undefined
      }
      // A pause of the whole page does not count as a frame.
      frames.push(Math.min(frameMs, 250))
      if (nowMs - sinceMs < sampleMs || frames.length < 5) return undefined
      const mean = frames.reduce((sum, one) => sum + one, 0) / frames.length
      screen.note(frames)
      frames = []
      sinceMs = nowMs
      if (!isOn()) return undefined
      if (mean > slowMs) {
        if (nowMs - finerAtMs < triedMs) needed = Math.min(fastSamplesMax, needed * 2)
        finerAtMs = Number.NEGATIVE_INFINITY
        return change(coarser())
      }
      // A quality that failed once may work later.
      if (nowMs - finerAtMs > triedMs && finerAtMs > 0) {
        needed = Math.max(fastSamples, needed / 2)
        finerAtMs = Number.NEGATIVE_INFINITY
      }
      calm = mean < Math.max(fastMs, Math.max(leastMs, screen.steadyMs()) * lateness) ? calm + 1 : 0
      if (calm < needed) return undefined
      const better = change(finer())
      if (better !== undefined) finerAtMs = nowMs
      return better
    },
    rest: () => {
      frames = []
      sinceMs = undefined
    },
    wish: (next) => {
      wished = next
      quality = next
      needed = fastSamples
      return quality
    },
    current: () => quality,
  }
}
