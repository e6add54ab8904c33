/** The least horizontal field of view in degrees. */
const acrossMin = 60
/** The largest vertical field of view; beyond it the picture is distorted. */
const upMax = 120

const halfOf = (degrees: number): number => Math.tan((degrees * Math.PI) / 360)

/** The vertical field of view in degrees for an aspect ratio: as set, and wider on a narrow picture. */
export const fitFieldOfView = (wished: number, aspect: number): number => {
  const forAcross = (Math.atan(halfOf(acrossMin) / aspect) * 360) / Math.PI
  return Math.max(wished, Math.min(upMax, forAcross))
}
