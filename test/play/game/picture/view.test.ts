import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { signal } from '@preact/signals'
import { createView, type ViewOptions } from '../../../../play/game/picture/view.ts'
import { defaultSettings } from '../../../../play/state/settings.ts'

const names = ['ResizeObserver', 'devicePixelRatio', 'document'] as const
beforeEach(() => {
  const ResizeObserver = class {
    observe(): void {}
    disconnect(): void {}
  }
  Object.assign(globalThis, { ResizeObserver, devicePixelRatio: 1, document: { visibilityState: 'visible' } })
})
afterEach(() => {
  for (const name of names) Reflect.deleteProperty(globalThis, name)
})

const open = (viewRadiusMax: number) => {
  const scales: number[] = []
  const view = createView({
    canvas: {},
    stage: { resize: (scale: number) => void scales.push(scale) },
    session: { send: () => true, welcome: () => ({ viewRadius: viewRadiusMax, viewRadiusMax }) },
    settings: signal({ ...defaultSettings, adapt: true, viewRadius: 8 }),
  } as unknown as ViewOptions)
  const run = (frameMs: number, seconds: number, from: number, framesMax = 0): number => {
    let nowMs = from
    for (const end = from + seconds * 1000; nowMs < end; ) {
      nowMs += frameMs
      view.note(frameMs, nowMs, framesMax)
    }
    return nowMs
  }
  return { view, run }
}

it('draws with lower resolution at once if the server has a small view radius', () => {
  const { view, run } = open(3)
  run(120, 2, 0)
  expect(view.radius()).toBe(3)
  expect(view.scale()).toBe(0.75)
})

it('ignores frames behind the menu, and those that began there', () => {
  const { view, run } = open(8)
  // Too few to judge, then the menu for a minute.
  let nowMs = run(250, 1, 0)
  nowMs = run(66, 60, nowMs, 15)
  for (const frameMs of [66, 16, 16, 16]) {
    nowMs += frameMs
    view.note(frameMs, nowMs, 0)
  }
  expect(view.radius()).toBe(8)
  expect(view.scale()).toBe(1)
})
