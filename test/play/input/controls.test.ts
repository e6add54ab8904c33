import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { signal } from '@preact/signals'
import { type Controls, createControls } from '../../../play/input/controls.ts'
import { createHud, type Hud } from '../../../play/state/hud.ts'
import { defaultSettings } from '../../../play/state/settings.ts'
import { createMousePage } from '../../support/pages/mouse-page.ts'

const names = ['document', 'window', 'addEventListener', 'removeEventListener', 'HTMLInputElement'] as const
const others = ['HTMLTextAreaElement', 'HTMLSelectElement', 'matchMedia'] as const

let stage: ReturnType<typeof createMousePage>
let page: EventTarget
let hud: Hud
let controls: Controls

beforeEach(() => {
  stage = createMousePage()
  page = new EventTarget()
  Object.assign(globalThis, {
    document: stage.page,
    window: page,
    addEventListener: page.addEventListener.bind(page),
    removeEventListener: page.removeEventListener.bind(page),
    matchMedia: () => ({ matches: false, addEventListener: () => undefined }),
    HTMLInputElement: class {},
    HTMLTextAreaElement: class {},
    HTMLSelectElement: class {},
  })
  hud = createHud()
  hud.curtain.value = { kind: 'none' }
  controls = createControls({
    canvas: stage.canvas as unknown as HTMLElement,
    hud,
    pad: { jump: signal(false), down: signal(false), stick: signal(undefined) },
    settings: signal(defaultSettings),
    onAction: () => undefined,
    onButton: () => undefined,
  })
})
afterEach(() => {
  controls.close()
  for (const name of [...names, ...others]) Reflect.deleteProperty(globalThis, name)
})

const key = (kind: 'keydown' | 'keyup', code: string, name = code): boolean =>
  page.dispatchEvent(Object.assign(new Event(kind), { code, key: name, repeat: false }))

/** Presses and releases a finger or the mouse, by default on the picture. */
const press = (pointerType: string, target: unknown = stage.canvas): void => {
  for (const kind of ['pointerdown', 'pointerup', 'click']) {
    const event = Object.assign(new Event(kind), { pointerType, button: 0, buttons: 1, clientX: 0, clientY: 0 })
    page.dispatchEvent(Object.defineProperty(event, 'target', { value: target }))
  }
}

it('walks by keys held since the window closed, when the browser grants the mouse later', async () => {
  hud.screen.value = 'chat'
  controls.resume()
  expect(hud.screen.value).toBe('none')
  key('keydown', 'KeyW')
  expect(controls.wanted().forward).toBe(1)
  await stage.give()
  expect(controls.wanted().forward).toBe(1)
  key('keyup', 'KeyW')
  expect(controls.wanted().forward).toBe(0)
})

it('releases held keys when the mouse is lost', async () => {
  hud.screen.value = 'chat'
  controls.resume()
  await stage.give()
  key('keydown', 'KeyW')
  await stage.leave()
  expect([hud.screen.value, controls.wanted().forward]).toEqual(['pause', 0])
  hud.screen.value = 'none'
  expect(controls.wanted().forward).toBe(0)
})

it('opens the menu on Escape while the browser decides about the mouse', async () => {
  hud.screen.value = 'chat'
  controls.resume()
  key('keydown', 'Escape', 'Escape')
  expect(hud.screen.value).toBe('pause')
  await stage.give()
  expect(stage.exits()).toBe(1)
})

it('releases every key with Cmd, because macOS does not report earlier releases', () => {
  hud.screen.value = 'none'
  key('keydown', 'KeyW')
  key('keydown', 'MetaLeft', 'Meta')
  key('keyup', 'MetaLeft', 'Meta')
  expect(controls.wanted().forward).toBe(0)
})

describe('the input device', () => {
  beforeEach(async () => {
    hud.screen.value = 'chat'
    controls.resume()
    await stage.give()
  })

  it('is touch as soon as a finger is on the picture: the game continues without the mouse', async () => {
    press('touch')
    expect([hud.isTouch.value, stage.exits()]).toEqual([true, 1])
    await stage.leave()
    expect(hud.screen.value).toBe('none')
  })

  it('is the mouse once it clicks the picture, which captures it', async () => {
    press('touch')
    await stage.leave()
    press('mouse')
    expect([hud.isTouch.value, stage.isAsked()]).toEqual([false, true])
    await stage.give()
    await stage.leave()
    expect(hud.screen.value).toBe('pause')
  })

  it('is, in the menu, the one that clicks, and only then: the buttons keep their places', async () => {
    await stage.leave()
    const down = Object.assign(new Event('pointerdown'), { pointerType: 'touch' })
    page.dispatchEvent(down)
    expect(hud.isTouch.value).toBe(false)
    press('touch', {})
    expect(hud.isTouch.value).toBe(true)
    controls.resume()
    expect([hud.screen.value, stage.isAsked()]).toEqual(['none', false])
  })

  it('does not change with a pen', () => {
    press('touch')
    press('pen')
    expect(hud.isTouch.value).toBe(true)
  })
})
