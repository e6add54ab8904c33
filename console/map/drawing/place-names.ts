export type NamePlace = { readonly left: number; readonly top: number; readonly width: number }
type Point = { readonly left: number; readonly top: number }
/** A rectangle by its middle. */
export type Box = NamePlace & { readonly high: number }
/** The name of a zone, and the height of its zone. */
export type ZoneName = Box & { readonly text: string }

const nameHigh = 18
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

const isApart = (one: Box, other: Box): boolean =>
  Math.abs(one.top - other.top) * 2 >= one.high + other.high || Math.abs(one.left - other.left) * 2 >= one.width + other.width

/** From the middle of a zone to its name, nearest first. */
const zoneSteps = [0, -20, 20, -40, 40, -60, 60]

/**
 * The names of zones that cover no other name and nothing in `marks`, such as players. A name moves up or down within its zone, or is left
 * out. The first names come first.
 */
export const placeZoneNames = (names: readonly ZoneName[], marks: readonly Box[]): readonly ZoneName[] => {
  const taken = [...marks]
  return names.flatMap((name) => {
    const at = zoneSteps
      .filter((step) => step === 0 || Math.abs(step) * 2 + nameHigh <= name.high)
      .map((step) => ({ ...name, top: name.top + step }))
      .find((one) => taken.every((other) => isApart({ ...one, high: nameHigh }, other)))
    if (at === undefined) return []
    taken.push({ ...at, high: nameHigh })
    return [at]
  })
}

/**
 * Positions for names so that none covers another, a dot or a rectangle in `marks`. Undefined for a name that does not fit.
 */
export const placeNames = (wanted: readonly NamePlace[], marks: readonly Box[] = []): (Point | undefined)[] => {
  const taken: Box[] = [...marks, ...wanted.map(({ left, top }) => ({ left, top, width: dotSize, high: dotSize }))]
  return wanted.map(({ left, top, width }) => {
    const at = listSteps(width)
      .map((step) => ({ left: left + step.left, top: top + step.top, width, high: nameHigh }))
      .find((one) => taken.every((other) => isApart(one, other)))
    if (at === undefined) return undefined
    taken.push(at)
    return { left: at.left, top: at.top }
  })
}

/** The rectangle of the name of a zone where it is drawn. */
export const boxOf = (name: ZoneName): Box => ({ ...name, high: nameHigh })
