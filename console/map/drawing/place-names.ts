export type NamePlace = { readonly left: number; readonly top: number; readonly width: number }
/** The name of a zone as it is drawn. */
export type ZoneName = NamePlace & { readonly text: string }

type Point = { readonly left: number; readonly top: number }
type Taken = NamePlace & { readonly high: number }

export const nameHigh = 18
/** The width and height of a dot. */
const dotSize = 12
const gap = 12

/** From a dot to the middle of its name, nearest first: above, below, beside, and further out. */
const listSteps = (width: number): readonly Point[] => [
  { left: 0, top: -16 },
  { left: 0, top: 16 },
  { left: width / 2 + gap, top: 0 },
  { left: -width / 2 - gap, top: 0 },
  { left: 0, top: -34 },
  { left: 0, top: 34 },
  { left: 0, top: -52 },
  { left: 0, top: 52 },
]

/**
 * Positions for names so that none covers another, a dot or a rectangle in `written`. Undefined for a name that does not fit.
 */
export const placeNames = (wanted: readonly NamePlace[], written: readonly NamePlace[] = []): (Point | undefined)[] => {
  const taken: Taken[] = [
    ...written.map((one) => ({ left: one.left, top: one.top, width: one.width, high: nameHigh })),
    ...wanted.map(({ left, top }) => ({ left, top, width: dotSize, high: dotSize })),
  ]
  return wanted.map(({ left, top, width }) => {
    const isFree = (at: Point): boolean =>
      taken.every(
        (one) => Math.abs(one.top - at.top) * 2 >= one.high + nameHigh || Math.abs(one.left - at.left) * 2 >= one.width + width,
      )
    const at = listSteps(width)
      .map((step) => ({ left: left + step.left, top: top + step.top }))
      .find(isFree)
    if (at !== undefined) taken.push({ left: at.left, top: at.top, width, high: nameHigh })
    return at
  })
}
