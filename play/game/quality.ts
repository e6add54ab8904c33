/** How much is drawn: a part of the screen's own pixels, and how far one sees. */
export type Quality = { readonly scale: number; readonly viewRadius: number }

/** Finds what a machine can draw 30 times a second. */
export type Adapting = {
  /**
   * Notes how long a picture took, and how long each takes at the least, by what the player wants; answers another quality when it is
   * time for one.
   */
  note(frameMs: number, nowMs: number, leastMs?: number): Quality | undefined
  /** What the player asks for. */
  wish(quality: Quality): Quality
  current(): Quality
}

const sampleMs = 1_500
const slowMs = 36
/** A screen that draws 60 pictures a second shows one each 16.7 ms, however fast the machine is. */
const fastMs = 18
/** It takes longer to be convinced that a machine is fast, and twice as long after each time that it was not. */
const fastSamples = 6
const fastSamplesMax = 192
const triedMs = 10_000
const scales = [0.4, 0.55, 0.75, 1, 1.5, 2]
const radiusMin = 4

/** `isOn` false: what was wished stays. */
export const createAdapting = (first: Quality, isOn: () => boolean): Adapting => {
  let wished = first
  let quality = first
  let [samples, total, sinceMs, calm]: [number, number, number, number] = [0, 0, 0, 0]
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
      samples += 1
      // A pause of the whole page is no picture.
      total += Math.min(frameMs, 250)
      if (nowMs - sinceMs < sampleMs || samples < 5) return undefined
      const mean = total / samples
      ;[samples, total, sinceMs] = [0, 0, nowMs]
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
      calm = mean < Math.max(fastMs, leastMs * 1.08) ? calm + 1 : 0
      if (calm < needed) return undefined
      const better = change(finer())
      if (better !== undefined) finerAtMs = nowMs
      return better
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
