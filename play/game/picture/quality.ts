/** How much is drawn: a part of the screen's own pixels, and how far one sees. */
export type Quality = { readonly scale: number; readonly viewRadius: number }

/** Finds what a machine can draw 30 times a second. */
export type Adapting = {
  /**
   * Notes how long a picture took, and how long each takes at the least, by what the player wants; answers another quality when it is
   * time for one.
   */
  note(frameMs: number, nowMs: number, leastMs?: number): Quality | undefined
  /** Pictures are not to be judged for a while, nor the time until the next that is noted. */
  rest(): void
  /** What the player asks for. */
  wish(quality: Quality): Quality
  current(): Quality
}

const sampleMs = 1_500
const slowMs = 36
/** A screen that draws 60 pictures a second shows one each 16.7 ms, however fast the machine is; others are told by their best. */
const fastMs = 18
/** Screens are a little late now and then. */
const lateness = 1.08
/** About three minutes: a phone that saves its battery shows fewer pictures than before. */
const screenSamples = 128
/** It takes longer to be convinced that a machine is fast, and twice as long after each time that it was not. */
const fastSamples = 6
const fastSamplesMax = 192
const triedMs = 10_000
const scales = [0.4, 0.55, 0.75, 1, 1.5, 2]
const radiusMin = 4

const medianOf = (values: readonly number[]): number => [...values].sort((one, other) => one - other)[values.length >> 1] ?? 0

/** The time between two pictures of the screen itself, as far as its best of late tells. */
const createScreen = () => {
  const medians: number[] = []
  return {
    note: (frames: readonly number[]): void => {
      medians.push(medianOf(frames))
      if (medians.length > screenSamples) medians.shift()
    },
    // A screen shows 30 a second at the least; what is slower is the machine.
    steadyMs: (): number => Math.min(slowMs, ...medians),
  }
}

/** `isOn` false: what was wished stays. */
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
      // A pause of the whole page is no picture.
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
      // What was too much once may not be for ever.
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
