import { type Signal, signal } from '@preact/signals'
import type { Column, Generated } from './columns.ts'
import type { Draft } from './draft.ts'
import type { Area, Size, View } from './view.ts'

/** `move` pans the map and selects by click. The other tools draw columns of a zone or a box of blocks. */
export type Tool = 'move' | 'paint' | 'rectangle' | 'erase' | 'box'

/** The state of the map of one world, with unsaved drawings. It survives visits to other pages. */
export type MapModel = {
  readonly view: Signal<View>
  readonly size: Signal<Size>
  readonly tool: Signal<Tool>
  /** The position of the pointer, or the centre for keyboard users. */
  readonly pointed: Signal<{ readonly x: number; readonly z: number } | undefined>
  readonly draft: Signal<Draft | undefined>
  /** The rectangle of columns during a drag. */
  readonly pulled: Signal<{ readonly from: Column; readonly to: Column } | undefined>
  /** The box whose history is shown, in blocks, both ends included. */
  readonly box: Signal<Area | undefined>
  readonly zone: Signal<string | undefined>
  /** The playerId of the selected player. */
  readonly player: Signal<string | undefined>
  /** Where new players appear; undefined if that is not known. */
  readonly spawn: Signal<{ readonly x: number; readonly z: number } | undefined>
  readonly generated: Signal<Generated | undefined>
  /** Terrain above this height is hidden. */
  readonly height: Signal<number | undefined>
}

export const createMapModel = (): MapModel => ({
  view: signal({ x: 0, z: 0, scale: 2 }),
  size: signal({ width: 0, height: 0 }),
  tool: signal('move'),
  pointed: signal(undefined),
  draft: signal(undefined),
  pulled: signal(undefined),
  box: signal(undefined),
  zone: signal(undefined),
  player: signal(undefined),
  spawn: signal(undefined),
  generated: signal(undefined),
  height: signal(undefined),
})
