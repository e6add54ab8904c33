import { directionOf, type Point } from '../../../../sdk/world.ts'

/** A camera at a distance from its target. Angles are in degrees, as in the protocol. */
export type Camera = {
  readonly target: Point
  readonly yaw: number
  readonly pitch: number
  /** Blocks. */
  readonly distance: number
}

export type Screen = { readonly width: number; readonly height: number }

/** The vertical field of view in degrees. */
export const fieldOfView = 60

const pitchMax = 89
const distanceMin = 3
const distanceMax = 400
const degreesPerPixel = 0.3

const clamp = (value: number, min: number, max: number): number => Math.min(max, Math.max(min, value))

export const eyeOf = ({ target, yaw, pitch, distance }: Camera) => {
  const way = directionOf({ yaw, pitch })
  return { x: target.x - way.x * distance, y: target.y - way.y * distance, z: target.z - way.z * distance, yaw, pitch }
}

/** Turns around the target by the pixels of a drag. */
export const orbit = (camera: Camera, dx: number, dy: number): Camera => ({
  ...camera,
  yaw: (camera.yaw + dx * degreesPerPixel + 360) % 360,
  pitch: clamp(camera.pitch - dy * degreesPerPixel, -pitchMax, pitchMax),
})

/** Changes the distance by a factor: below 1 is nearer. */
export const zoom = (camera: Camera, factor: number): Camera => ({
  ...camera,
  distance: clamp(camera.distance * factor, distanceMin, distanceMax),
})

const basisOf = ({ yaw, pitch }: Camera) => {
  const [across, up] = [(yaw * Math.PI) / 180, (pitch * Math.PI) / 180]
  const forward = directionOf({ yaw, pitch })
  const right = { x: -Math.sin(across), y: 0, z: Math.cos(across) }
  return { forward, right, up: { x: -Math.cos(across) * Math.sin(up), y: Math.cos(up), z: -Math.sin(across) * Math.sin(up) } }
}

const add = (to: Point, { x, y, z }: Point, times: number): Point => ({
  x: to.x + x * times,
  y: to.y + y * times,
  z: to.z + z * times,
})

/** Pans the target, so that the point under the pointer stays there. */
export const pan = (camera: Camera, dx: number, dy: number, { height }: Screen): Camera => {
  const { right, up } = basisOf(camera)
  const perPixel = (2 * camera.distance * Math.tan((fieldOfView * Math.PI) / 360)) / Math.max(1, height)
  return { ...camera, target: add(add(camera.target, right, -dx * perPixel), up, dy * perPixel) }
}

/** The direction from the camera through a point of the screen, in pixels from the top left. */
export const rayThrough = (camera: Camera, { width, height }: Screen, left: number, top: number): Point => {
  const { forward, right, up } = basisOf(camera)
  const half = Math.tan((fieldOfView * Math.PI) / 360)
  const across = ((left / Math.max(1, width)) * 2 - 1) * half * (width / Math.max(1, height))
  return add(add(forward, right, across), up, (1 - (top / Math.max(1, height)) * 2) * half)
}

/** A step of one block along the axis nearest to the camera's forward or right direction. */
export const stepAlong = (yaw: number, ahead: number, right: number): { readonly x: number; readonly z: number } => {
  const quarter = ((Math.round(yaw / 90) % 4) + 4) % 4
  const [x, z] = (
    [
      [1, 0],
      [0, 1],
      [-1, 0],
      [0, -1],
    ] as const
  )[quarter] ?? [1, 0]
  return { x: x * ahead - z * right, z: z * ahead + x * right }
}
