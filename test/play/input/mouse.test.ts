import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { createMouse, type Mouse } from '../../../play/input/mouse.ts'

/** A page whose browser answers about the mouse when the test says so, as a busy one does. */
const createPage = () => {
  const canvas = Object.assign(new EventTarget(), { requestPointerLock: () => ask() })
  const page = Object.assign(new EventTarget(), { pointerLockElement: null as unknown, exitPointerLock: () => exited() })
  let exits = 0
  const exited = (): void => {
    exits += 1
  }
  let asked: { readonly give: () => void; readonly refuse: () => void } | undefined
  const ask = (): Promise<void> =>
    new Promise((resolve, reject) => {
      asked = { give: resolve, refuse: () => reject(new Error('refused')) }
    })
  const turn = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  const change = (element: unknown): void => {
    page.pointerLockElement = element
    page.dispatchEvent(new Event('pointerlockchange'))
  }
  return {
    canvas,
    page,
    isAsked: () => asked !== undefined,
    exits: () => exits,
    give: async () => {
      change(canvas)
      asked?.give()
      asked = undefined
      await turn()
    },
    refuse: async () => {
      asked?.refuse()
      asked = undefined
      await turn()
    },
    /** The browser has let the mouse go. */
    leave: async () => {
      change(null)
      await turn()
    },
  }
}

let stage: ReturnType<typeof createPage>
let mouse: Mouse
let told: string[]

beforeEach(() => {
  stage = createPage()
  told = []
  Object.assign(globalThis, { document: stage.page, window: new EventTarget() })
  mouse = createMouse(stage.canvas as unknown as HTMLElement, {
    onLook: () => undefined,
    onButton: () => undefined,
    onWheel: () => undefined,
    onGrab: (isGrabbed) => told.push(isGrabbed ? 'grabbed' : 'let go'),
    onFallBack: () => told.push('by dragging'),
  })
})

afterEach(() => {
  mouse.close()
  Reflect.deleteProperty(globalThis, 'document')
  Reflect.deleteProperty(globalThis, 'window')
})

it('says when it has the mouse, and when it has it no more', async () => {
  const grabbing = mouse.grab()
  expect(told).toEqual([])
  await stage.give()
  expect(await grabbing).toBe(true)
  await stage.leave()
  expect(told).toEqual(['grabbed', 'let go'])
})

it('gives back at once what comes after a window was opened', async () => {
  void mouse.grab()
  mouse.release()
  await stage.give()
  expect(stage.exits()).toBe(1)
  expect(told).toEqual([])
})

it('asks again only when the browser has let go, and says nothing of that', async () => {
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

it('takes no mouse for a window that was opened while the browser let go', async () => {
  void mouse.grab()
  await stage.give()
  mouse.release()
  void mouse.grab()
  mouse.release()
  await stage.leave()
  expect(stage.isAsked()).toBe(false)
})

it('looks by dragging where the browser gives the mouse to nobody, unless a window was opened meanwhile', async () => {
  void mouse.grab()
  mouse.release()
  await stage.refuse()
  expect(told).toEqual([])
  const grabbing = mouse.grab()
  await stage.refuse()
  expect(await grabbing).toBe(true)
  expect(told).toEqual(['grabbed', 'by dragging'])
})

it('says so where the browser gave the mouse before and does not now', async () => {
  void mouse.grab()
  await stage.give()
  await stage.leave()
  const grabbing = mouse.grab()
  await stage.refuse()
  expect(await grabbing).toBe(false)
  expect(told).toEqual(['grabbed', 'let go'])
})
