/** Degrees from side to side that one sees at least. */
const acrossMin = 60
/** Further than that everything is bent. */
const upMax = 120

const halfOf = (degrees: number): number => Math.tan((degrees * Math.PI) / 360)

/** The degrees from top to bottom for a picture so many times as wide as high: as wished, and more on a narrow one, lest it be a slot. */
export const fitFieldOfView = (wished: number, aspect: number): number => {
  const forAcross = (Math.atan(halfOf(acrossMin) / aspect) * 360) / Math.PI
  return Math.max(wished, Math.min(upMax, forAcross))
}
