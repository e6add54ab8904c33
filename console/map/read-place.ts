const placePattern = /^\s*(-?\d{1,8})\s*[,\s]\s*(?:(-?\d{1,8})\s*[,\s]\s*)?(-?\d{1,8})\s*$/

/** "120 -48" and "120, 64, -48" as a place from above. */
export const readPlace = (text: string): { readonly x: number; readonly z: number } | undefined => {
  const [, x, , z] = placePattern.exec(text) ?? []
  return x === undefined || z === undefined ? undefined : { x: Number(x), z: Number(z) }
}
