export type NamePlace = { readonly left: number; readonly top: number; readonly width: number }

const high = 18

/** Pixels from the dot to the middle of its name: above, below, and further out. */
const steps = [-16, 16, -34, 34, -52, 52] as const

/** Positions for names so that none overlaps another or a rectangle in `written`. Undefined for a name that does not fit. */
export const placeNames = (wanted: readonly NamePlace[], written: readonly NamePlace[] = []): (number | undefined)[] => {
  const taken = [...written]
  return wanted.map(({ left, top, width }) => {
    const isFree = (at: number): boolean =>
      taken.every((one) => Math.abs(one.top - at) >= high || Math.abs(one.left - left) * 2 >= one.width + width)
    const step = steps.find((one) => isFree(top + one))
    if (step === undefined) return undefined
    taken.push({ left, top: top + step, width })
    return top + step
  })
}
