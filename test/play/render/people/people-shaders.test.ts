import { afterAll, beforeAll, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { Browser } from 'playwright-core'
import { Matrix4, Vector3 } from 'three'
import { createBody } from '../../../../play/render/people/figure-body.ts'
import { figureFragmentShader, figureVertexShader } from '../../../../play/render/people/people-shaders.ts'
import { describeBrowser } from '../../../support/pages/chromium.ts'
import { openDrawingChromium } from '../../../support/pages/drawing-chromium.ts'

type Pose = {
  readonly feet: readonly number[]
  readonly turn: number
  readonly pitch: number
  readonly step: number
  readonly shirt: number
}

const number = (min: number, max: number) => fc.double({ min, max, noNaN: true })
/** Yaw 90 looks along z. */
const plain: Pose = { feet: [5, 64, 5], turn: -Math.PI / 2, pitch: 0, step: 0, shirt: 0 }
const others: readonly Pose[] = fc.sample(
  fc.record({
    feet: fc.tuple(number(-128, 128), number(0, 255), number(-128, 128)),
    turn: number(-6.3, 0),
    pitch: number(-1.57, 1.57),
    step: number(-0.7, 0.7),
    shirt: fc.integer({ min: 0, max: 0xffffff }),
  }),
  { numRuns: 12, seed: 7 },
)

/** Looks along x, nods up by 45 degrees, and steps. */
const stepping: Pose = { feet: [0, 0, 0], turn: 0, pitch: Math.PI / 4, step: 0.5, shirt: 0xff0000 }
const poses = [plain, stepping, ...others]
const body = createBody()
const list = (name: string): readonly (readonly number[])[] => {
  const attribute = body.getAttribute(name)
  return Array.from({ length: attribute.count }, (_, at) => [attribute.getX(at), attribute.getY(at), attribute.getZ(at)])
}
const [positions, joints, colours, moves] = ['position', 'joint', 'colour', 'moves'].map(list) as [
  readonly (readonly number[])[],
  readonly (readonly number[])[],
  readonly (readonly number[])[],
  readonly (readonly number[])[],
]

/** The expected position of a vertex: swung at its joint, turned at the feet. */
const expectPlace = ({ feet, turn, pitch, step }: Pose, vertex: number): readonly number[] => {
  const [swing = 0, nods = 0] = moves[vertex] ?? []
  const move = (by: readonly number[] = []) => new Matrix4().makeTranslation(by[0] ?? 0, by[1] ?? 0, by[2] ?? 0)
  return new Vector3(...(positions[vertex] ?? []))
    .applyMatrix4(
      move(feet)
        .multiply(new Matrix4().makeRotationY(turn))
        .multiply(move(joints[vertex]))
        .multiply(new Matrix4().makeRotationZ(nods * pitch + swing * step)),
    )
    .toArray()
}

const expectPaint = ({ shirt }: Pose, vertex: number): readonly number[] => {
  const isShirt = moves[vertex]?.[2] === 1
  const worn = isShirt ? [shirt >> 16, (shirt >> 8) & 255, shirt & 255].map((part) => part / 255) : [1, 1, 1]
  return (colours[vertex] ?? []).map((part, at) => part * (worn[at] ?? 0) * (light[at] ?? 0))
}

const light = [0.9, 0.74, 0.62]
/** The output of the shader for all vertices of all poses: three numbers of the position and three of the colour each. */
const runShader = async (browser: Browser): Promise<readonly number[]> => {
  const page = await browser.newPage()
  const made = await page.evaluate(
    ({ vertexShader, fragmentShader, listed, daylight }) => {
      const rows = JSON.parse(listed) as { name: string; size: number; numbers: number[] }[]
      const canvas = document.createElement('canvas')
      const gl = canvas.getContext('webgl2')
      if (gl === null) throw new Error('no WebGL 2')
      const program = gl.createProgram()
      for (const [kind, source] of [
        [gl.VERTEX_SHADER, vertexShader],
        [gl.FRAGMENT_SHADER, fragmentShader],
      ] as const) {
        const shader = gl.createShader(kind) as WebGLShader
        gl.shaderSource(shader, `#version 300 es\n${source}`)
        gl.compileShader(shader)
        if (gl.getShaderParameter(shader, gl.COMPILE_STATUS) !== true) throw new Error(gl.getShaderInfoLog(shader) ?? '')
        gl.attachShader(program, shader)
      }
      gl.transformFeedbackVaryings(program, ['placed', 'paint'], gl.INTERLEAVED_ATTRIBS)
      gl.linkProgram(program)
      if (gl.getProgramParameter(program, gl.LINK_STATUS) !== true) throw new Error(gl.getProgramInfoLog(program) ?? '')
      gl.useProgram(program)
      const same = new Float32Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])
      for (const name of ['modelViewMatrix', 'projectionMatrix'])
        gl.uniformMatrix4fv(gl.getUniformLocation(program, name), false, same)
      gl.uniform3fv(gl.getUniformLocation(program, 'light'), daylight)
      for (const { name, size, numbers } of rows) {
        const at = gl.getAttribLocation(program, name)
        gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer())
        gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(numbers), gl.STATIC_DRAW)
        gl.enableVertexAttribArray(at)
        gl.vertexAttribPointer(at, size, gl.FLOAT, false, 0, 0)
      }
      const count = (rows[0]?.numbers.length ?? 0) / 3
      const made = new Float32Array(count * 6)
      gl.bindBuffer(gl.ARRAY_BUFFER, null)
      gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, gl.createBuffer())
      gl.bufferData(gl.TRANSFORM_FEEDBACK_BUFFER, made.byteLength, gl.STREAM_READ)
      gl.enable(gl.RASTERIZER_DISCARD)
      gl.beginTransformFeedback(gl.POINTS)
      gl.drawArrays(gl.POINTS, 0, count)
      gl.endTransformFeedback()
      gl.getBufferSubData(gl.TRANSFORM_FEEDBACK_BUFFER, 0, made)
      return JSON.stringify([...made])
    },
    {
      vertexShader: figureVertexShader,
      fragmentShader: figureFragmentShader,
      daylight: light,
      // As text, because Playwright takes seconds for a hundred thousand numbers.
      listed: JSON.stringify([
        ...[positions, joints, colours, moves].map((rows, which) => ({
          name: ['position', 'joint', 'colour', 'moves'][which] ?? '',
          size: 3,
          numbers: poses.flatMap(() => rows.flat()),
        })),
        { name: 'place', size: 4, numbers: poses.flatMap(({ feet, turn }) => positions.flatMap(() => [...feet, turn])) },
        {
          name: 'stance',
          size: 3,
          numbers: poses.flatMap(({ pitch, step, shirt }) => positions.flatMap(() => [pitch, step, shirt])),
        },
      ]),
    },
  )
  return JSON.parse(made)
}

describeBrowser('the shader of people', () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await openDrawingChromium()
  })
  afterAll(() => browser.close())

  it('poses bodies: heads nod at necks, legs swing at hips, and bodies turn at the feet', async () => {
    const made = await runShader(browser)
    const wanted = poses.flatMap((pose) =>
      positions.flatMap((_, vertex) => [...expectPlace(pose, vertex), ...expectPaint(pose, vertex)]),
    )
    expect(made).toHaveLength(wanted.length)
    expect(Math.max(...made.map((part, at) => Math.abs(part - (wanted[at] ?? Number.NaN))))).toBeLessThan(0.002)
    /** The middle of a box of a pose: the boxes are head, hair, two eyes, body, two arms and two legs. */
    const middleOf = (pose: number, box: number): readonly number[] =>
      [0, 1, 2].map((part) => {
        const first = (pose * positions.length + box * 24) * 6
        const all = Array.from({ length: 24 }, (_, at) => made[first + at * 6 + part] ?? Number.NaN)
        return (Math.min(...all) + Math.max(...all)) / 2
      })
    const near = (place: readonly number[]) => place.map((part) => expect.closeTo(part, 3))
    // The eyes are on the front side.
    expect(middleOf(0, 2)).toEqual(near([4.9, 65.62, 5.235]))
    // A head that looks up leans back at the neck.
    expect(middleOf(1, 0)).toEqual(near([-0.23 * Math.SQRT1_2, 1.36 + 0.23 * Math.SQRT1_2, 0]))
    // On each side the arm goes forward as the leg goes back; arms hang from 1.34, legs from 0.72.
    const [sin, cos] = [Math.sin(0.5), Math.cos(0.5)]
    expect(middleOf(1, 5)).toEqual(near([0.3 * sin, 1.34 - 0.3 * cos, 0.32]))
    expect(middleOf(1, 8)).toEqual(near([0.36 * sin, 0.72 - 0.36 * cos, -0.12]))
    expect(middleOf(1, 7)).toEqual(near([-0.36 * sin, 0.72 - 0.36 * cos, 0.12]))
  })
})
