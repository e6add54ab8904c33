import { BoxGeometry, BufferAttribute } from 'three'

/** Light of the faces in the order of a box: +x, -x, +y, -y, +z, -z. */
const sides = [0.92, 0.8, 1, 0.55, 0.74, 0.7]

/** A box whose sides differ in brightness. */
export const createLitBox = ([width, height, depth]: readonly [number, number, number]): BoxGeometry => {
  const box = new BoxGeometry(width, height, depth)
  const light = new Float32Array(sides.flatMap((side) => Array.from({ length: 12 }, () => side)))
  box.setAttribute('color', new BufferAttribute(light, 3))
  return box
}
