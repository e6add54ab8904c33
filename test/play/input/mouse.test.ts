import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { createMouse, type Mouse } from '../../../play/input/mouse.ts'
import { createMousePage } from '../../support/pages/mouse-page.ts'

let stage: ReturnType<typeof createMousePage>
let mouse: Mouse
let told: string[]
let pressed: string[]
let turned: number
let steps: number

beforeEach(() => {
  stage = createMousePage()
  told = []
  pressed = []
  turned = 0
  steps = 0
  const WheelEvent = { DOM_DELTA_PIXEL: 0 }
  Object.assign(globalThis, { document: stage.page, window: new EventTarget(), WheelEvent })
  mouse = createMouse(stage.canvas as unknown as HTMLElement, {
    onLook: (dx) => {
      turned += dx
    },
    onButton: (button, isDown) => pressed.push(`${button} ${isDown ? 'down' : 'up'}`),
    onWheel: (step) => {
      steps += step
    },
    onGrab: (isGrabbed) => told.push(isGrabbed ? 'grabbed' : 'let go'),
    onFallBack: () => told.push('by dragging'),
  })
})

afterEach(() => {
  mouse.close()
  for (const name of ['document', 'window', 'WheelEvent']) Reflect.deleteProperty(globalThis, name)
})

/** An event on the picture that has bubbled to the window. */
const tell = (kind: string, more: object): void => {
  const event = new Event(kind)
  for (const [name, value] of Object.entries({ target: stage.canvas, timeStamp: 0, ...more }))
    Object.defineProperty(event, name, { value })
  window.dispatchEvent(event)
}

it('reports when it captures and releases the mouse', async () => {
  const grabbing = mouse.grab()
  expect(told).toEqual([])
  await stage.give()
  expect(await grabbing).toBe(true)
  await stage.leave()
  expect(told).toEqual(['grabbed', 'let go'])
})

it('releases a late grant at once when a window was opened', async () => {
  void mouse.grab()
  mouse.release()
  await stage.give()
  expect(stage.exits()).toBe(1)
  expect(told).toEqual(['let go'])
})

it('retries only when the browser has released the mouse, without a message', async () => {
  void mouse.grab()
  await stage.give()
  mouse.release()
  const grabbing = mouse.grab()
  expect(stage.isAsked()).toBe(false)
  await stage.leave()
  expect(stage.isAsked()).toBe(true)
  await stage.give()
  expect(await grabbing).toBe(true)
  expect(told).toEqual(['grabbed', 'grabbed'])
})

it('does not capture the mouse for a window that was opened during the release', async () => {
  void mouse.grab()
  await stage.give()
  mouse.release()
  void mouse.grab()
  mouse.release()
  await stage.leave()
  expect(stage.isAsked()).toBe(false)
})

it('looks by dragging when the browser grants no mouse, unless a window was opened', async () => {
  void mouse.grab()
  mouse.release()
  await stage.refuse()
  expect(told).toEqual(['let go'])
  const grabbing = mouse.grab()
  await stage.refuse()
  expect(await grabbing).toBe(true)
  expect(told).toEqual(['let go', 'grabbed', 'by dragging'])
})

it('reports a refusal after an earlier grant', async () => {
  void mouse.grab()
  await stage.give()
  await stage.leave()
  const grabbing = mouse.grab()
  await stage.refuse()
  expect(await grabbing).toBe(false)
  expect(told).toEqual(['grabbed', 'let go'])
})

it('reports a refusal by event in a browser without a promise', async () => {
  Object.assign(stage.canvas, { requestPointerLock: () => undefined })
  void mouse.grab()
  await stage.give()
  await stage.leave()
  expect(await mouse.grab()).toBe(true)
  stage.fail()
  expect(told).toEqual(['grabbed', 'let go', 'let go'])
})

it('reports that it has no mouse when the player leaves before the answer', async () => {
  void mouse.grab()
  await stage.give()
  await stage.leave()
  const grabbing = mouse.grab()
  mouse.release()
  await stage.refuse()
  expect(await grabbing).toBe(true)
  expect(told).toEqual(['grabbed', 'let go', 'let go'])
})

it('keeps the mouse when the error of the raw request comes after another one succeeded', async () => {
  void mouse.grab()
  await stage.give()
  await stage.leave()
  void mouse.grab()
  await stage.give()
  stage.fail()
  expect(told).toEqual(['grabbed', 'let go', 'grabbed'])
})

it('turns as far as a fast hand on a slow page, and ignores glitches of the browser', async () => {
  void mouse.grab()
  await stage.give()
  const hand = [40, 500, 900, 200, -600, 60]
  for (const [at, movementX] of hand.entries())
    tell('pointermove', { pointerType: 'mouse', button: -1, buttons: 0, movementX, movementY: 0, timeStamp: at * 33 })
  expect(turned).toBe(1_700)
})

it('scrolls with Shift while running, although some browsers report it as sideways', async () => {
  void mouse.grab()
  await stage.give()
  const wheel = (deltaX: number, deltaY: number, shiftKey: boolean, timeStamp: number): number => {
    const before = steps
    tell('wheel', { deltaX, deltaY, shiftKey, deltaMode: 0, timeStamp })
    return steps - before
  }
  expect(wheel(120, 0, true, 1_000)).toBe(1)
  expect(wheel(-120, 0, true, 2_000)).toBe(-1)
  expect(wheel(-1, 120, true, 3_000)).toBe(1)
  // Without Shift, a trackpad that scrolls sideways selects nothing.
  expect(wheel(120, 0, false, 4_000)).toBe(0)
})

describe('without a lock', () => {
  const pointer = (kind: string, clientX: number, buttons = 1): void =>
    tell(kind, { pointerType: 'mouse', button: kind === 'pointermove' ? -1 : 0, buttons, clientX, clientY: 0, movementX: 3 })

  beforeEach(async () => {
    void mouse.grab()
    await stage.refuse()
    jest.useFakeTimers()
  })
  afterEach(() => {
    jest.useRealTimers()
  })

  it('holds the button of a press without movement, and looks around, until it is released', () => {
    pointer('pointerdown', 100)
    pointer('pointermove', 102)
    jest.advanceTimersByTime(249)
    expect(pressed).toEqual([])
    jest.advanceTimersByTime(1)
    expect(pressed).toEqual(['break down'])
    pointer('pointermove', 300)
    expect([pressed, turned]).toEqual([['break down'], 6])
    pointer('pointerup', 300, 0)
    expect(pressed).toEqual(['break down', 'break up'])
  })

  it('looks around by a press with movement, clicks by a short one, and holds nothing afterwards', () => {
    pointer('pointerdown', 100)
    pointer('pointermove', 105)
    jest.advanceTimersByTime(1_000)
    pointer('pointerup', 105, 0)
    expect(pressed).toEqual(['break up'])
    pointer('pointerdown', 100)
    pointer('pointerup', 100, 0)
    jest.advanceTimersByTime(1_000)
    expect(pressed).toEqual(['break up', 'break down', 'break up'])
  })

  it('releases the button when the page loses the focus to another window', () => {
    pointer('pointerdown', 100)
    jest.advanceTimersByTime(250)
    tell('blur', {})
    expect(pressed).toEqual(['break down', 'break up'])
  })

  it('holds nothing in a window that was opened during a press', () => {
    pointer('pointerdown', 100)
    mouse.release()
    jest.advanceTimersByTime(1_000)
    expect(pressed).toEqual([])
  })
})
