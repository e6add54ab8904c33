const firstMs = 250
const longestMs = 8_000

/** How long to wait after so many failures in a row: anything from nothing up to 0.25 s, doubled each time, 8 s at most (full jitter). */
export const chooseWait = (failures: number, random: () => number): number =>
  random() * Math.min(longestMs, firstMs * 2 ** Math.min(failures, 16))
