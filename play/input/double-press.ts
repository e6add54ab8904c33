/** Detects a double press that is held. */
type DoublePress = {
  press(atMs: number): void
  lift(): void
  /** True from the second press until the key is released. */
  isHeld(): boolean
}

const withinMs = 300

export const createDoublePress = (): DoublePress => {
  let lastMs = Number.NEGATIVE_INFINITY
  let isHeld = false
  return {
    press: (atMs) => {
      isHeld = atMs - lastMs <= withinMs
      lastMs = atMs
    },
    lift: () => {
      isHeld = false
    },
    isHeld: () => isHeld,
  }
}
