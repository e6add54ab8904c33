import {
  BufferAttribute,
  BufferGeometry,
  Color,
  GLSL3,
  Mesh,
  RawShaderMaterial,
  type Scene,
  Sphere,
  Uint32BufferAttribute,
  Vector2,
  Vector3,
} from 'three'
import { chunkKey } from '../../sdk/world.ts'
import type { Daylight, Light } from './daylight.ts'
import type { ColumnMesh } from './meshing/mesh-data.ts'
import { terrainFragmentShader, terrainVertexShader } from './terrain-shader.ts'

/** The terrain: one mesh per column, and another for transparent blocks. */
export type Terrain = {
  put(cx: number, cz: number, mesh: ColumnMesh): void
  drop(cx: number, cz: number): void
  clear(): void
  /** Where the fog begins and becomes opaque, in blocks, and its colour. */
  setFog(from: number, to: number, colour: Light): void
  /** Skips meshes that fog hides completely at this distance, in blocks. */
  lookFrom(eye: { readonly x: number; readonly y: number; readonly z: number }): void
  setLight(daylight: Daylight): void
  /** Pattern colours besides a block's own. */
  setColours(colours: { readonly grass: number; readonly stone: number }): void
  /** Animates the water. */
  setTime(seconds: number): void
  has(cx: number, cz: number): boolean
  /** Shows a face of each kind to compile the shaders; the returned function hides them. */
  showSamples(): () => void
  count(): number
}

const createIndex = (quads: number): BufferAttribute => {
  const index = new Uint32Array(quads * 6)
  for (let quad = 0; quad < quads; quad += 1)
    index.set(
      [0, 1, 2, 0, 2, 3].map((step) => quad * 4 + step),
      quad * 6,
    )
  return new BufferAttribute(index, 1)
}

const uploaded = new Uint32Array(0)

/** Vertices are four a quad and two numbers each. */
const numbersPerQuad = 8

/** Beyond the opaque fog, in blocks: hills there still stand out against the sky, in the colour of the horizon. */
const farBlocks = 16

/** The distance of a number from a range. */
const beyond = (value: number, least: number, most: number): number => Math.max(least - value, 0, value - most)

type Drawn = {
  readonly meshes: readonly Mesh[]
  readonly cx: number
  readonly cz: number
  readonly minY: number
  readonly maxY: number
}

const createMaterial = (isClear: boolean, uniforms: RawShaderMaterial['uniforms']): RawShaderMaterial =>
  new RawShaderMaterial({
    glslVersion: GLSL3,
    vertexShader: terrainVertexShader,
    fragmentShader: terrainFragmentShader,
    uniforms,
    transparent: isClear,
  })

export const createTerrain = (scene: Scene): Terrain => {
  const uniforms = {
    time: { value: 0 },
    sides: { value: new Float32Array(7) },
    skyLight: { value: new Color(0xffffff) },
    caveLight: { value: new Color(0xffffff) },
    sun: { value: new Vector3(0, 1, 0) },
    fogColour: { value: new Color(0xffffff) },
    fogRange: { value: new Vector2(1, 2) },
    grassColour: { value: new Color(0x5f9e35) },
    stoneColour: { value: new Color(0x7d7d7d) },
  }
  const materials = { solid: createMaterial(false, uniforms), clear: createMaterial(true, uniforms) }
  const columns = new Map<number, Drawn>()
  let fogEnd = Number.POSITIVE_INFINITY
  // All geometries share one index buffer.
  let index = createIndex(8192)

  const createMesh = (kind: 'solid' | 'clear', cx: number, cz: number, { [kind]: data, minY, maxY }: ColumnMesh): Mesh => {
    const quads = data.length / numbersPerQuad
    while (quads * 6 > index.count) index = createIndex((index.count / 6) * 2)
    const geometry = new BufferGeometry()
    const packed = new Uint32BufferAttribute(data, 2)
    // Frees the arrays after the upload: a restored context meshes every column again.
    packed.onUpload(() => {
      packed.array = uploaded
    })
    geometry.setAttribute('packed', packed)
    geometry.setIndex(index)
    geometry.setDrawRange(0, quads * 6)
    const centre = new Vector3(8, (minY + maxY) / 2, 8)
    geometry.boundingSphere = new Sphere(centre, Math.hypot(8, (maxY - minY) / 2, 8))
    const mesh = new Mesh(geometry, materials[kind])
    mesh.position.set(cx * 16, 0, cz * 16)
    mesh.matrixAutoUpdate = false
    mesh.updateMatrix()
    mesh.renderOrder = kind === 'clear' ? 1 : 0
    return mesh
  }
  const remove = (mesh: Mesh): void => {
    scene.remove(mesh)
    // Otherwise this would dispose the shared index buffer.
    mesh.geometry.setIndex(null)
    mesh.geometry.dispose()
  }
  const drop = (cx: number, cz: number): void => {
    const key = chunkKey(cx, cz)
    for (const mesh of columns.get(key)?.meshes ?? []) remove(mesh)
    columns.delete(key)
  }

  return {
    put: (cx, cz, column) => {
      drop(cx, cz)
      const made = (['solid', 'clear'] as const)
        .filter((kind) => column[kind].length > 0)
        .map((kind) => createMesh(kind, cx, cz, column))
      for (const mesh of made) scene.add(mesh)
      columns.set(chunkKey(cx, cz), { meshes: made, cx, cz, minY: column.minY, maxY: column.maxY })
    },
    drop,
    clear: () => {
      for (const { meshes } of columns.values()) for (const mesh of meshes) remove(mesh)
      columns.clear()
    },
    setFog: (from, to, colour) => {
      fogEnd = to
      uniforms.fogRange.value.set(from, to)
      uniforms.fogColour.value.setRGB(...colour)
    },
    lookFrom: ({ x, y, z }) => {
      for (const { meshes, cx, cz, minY, maxY } of columns.values()) {
        const away = Math.hypot(beyond(x, cx * 16, cx * 16 + 16), beyond(y, minY, maxY), beyond(z, cz * 16, cz * 16 + 16))
        for (const mesh of meshes) mesh.visible = away < fogEnd + farBlocks
      }
    },
    setLight: ({ sides, sky, cave, sun }) => {
      uniforms.sides.value.set(sides)
      uniforms.skyLight.value.setRGB(...sky)
      uniforms.caveLight.value.setRGB(...cave)
      uniforms.sun.value.set(...sun)
    },
    setColours: ({ grass, stone }) => {
      uniforms.grassColour.value.setHex(grass)
      uniforms.stoneColour.value.setHex(stone)
    },
    setTime: (seconds) => {
      uniforms.time.value = seconds
    },
    showSamples: () => {
      const data = new Uint32Array(numbersPerQuad)
      const samples = (['solid', 'clear'] as const).map((kind) =>
        createMesh(kind, 0, 0, { solid: data, clear: data.slice(), minY: 0, maxY: 16 }),
      )
      for (const mesh of samples) {
        mesh.frustumCulled = false
        scene.add(mesh)
      }
      return () => {
        for (const mesh of samples) remove(mesh)
      }
    },
    has: (cx, cz) => columns.has(chunkKey(cx, cz)),
    count: () => columns.size,
  }
}
