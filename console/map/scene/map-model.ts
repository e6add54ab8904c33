import { type Signal, signal } from '@preact/signals'
import type { Column, Generated } from './columns.ts'
import type { Draft } from './draft.ts'
import type { Area, Size, View } from './view.ts'

/** `move`: the map is pulled, and a click picks. The others draw: columns of a zone, or a box of blocks. */
export type Tool = 'move' | 'paint' | 'rectangle' | 'erase' | 'box'

/** What is shown of one world, and what was drawn there and not saved. It outlives the page, as somebody may look elsewhere meanwhile. */
export type MapModel = {
  readonly view: Signal<View>
  readonly size: Signal<Size>
  readonly tool: Signal<Tool>
  /** Where the pointer is, or the middle for the keyboard. */
  readonly pointed: Signal<{ readonly x: number; readonly z: number } | undefined>
  readonly draft: Signal<Draft | undefined>
  /** The rectangle of columns that is being pulled. */
  readonly pulled: Signal<{ readonly from: Column; readonly to: Column } | undefined>
  /** What is asked for its history: blocks, both ends included. */
  readonly box: Signal<Area | undefined>
  readonly zone: Signal<string | undefined>
  readonly generated: Signal<Generated | undefined>
  /** Terrain is cut off at this height. */
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
  generated: signal(undefined),
  height: signal(undefined),
})
