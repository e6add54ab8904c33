import { afterEach, expect, it } from '@jest/globals'
import { canRun } from '../../play/state/can-run.ts'

const names = ['addEventListener', 'document'] as const
const { throwIfAborted } = AbortSignal.prototype
afterEach(() => {
  for (const name of names) Reflect.deleteProperty(globalThis, name)
  Object.assign(AbortSignal.prototype, { throwIfAborted })
})

class Element {
  textContent = ''
  readonly children: Element[] = []
  get childElementCount(): number {
    return this.children.length
  }
  setAttribute(): void {}
  append(child: Element): void {
    this.children.push(child)
  }
  read(): string {
    return [this.textContent, ...this.children.map((child) => child.read())].join(' ')
  }
}

it('shows requirements in an empty page, and nothing once the game runs', async () => {
  const root = new Element()
  const page = new EventTarget()
  Object.assign(globalThis, {
    addEventListener: page.addEventListener.bind(page),
    document: { querySelector: () => root, createElement: () => new Element() },
  })
  await import('../../play/too-old.ts')
  page.dispatchEvent(new Event('load'))
  expect(root.read()).toMatch(/too old.*iOS 16\.4, Chrome or Edge 110/)
  const told = root.childElementCount
  page.dispatchEvent(new Event('load'))
  expect(root.childElementCount).toBe(told)
})

it('detects a browser that cannot run the game', () => {
  expect(canRun()).toBe(true)
  Reflect.deleteProperty(AbortSignal.prototype, 'throwIfAborted')
  expect(canRun()).toBe(false)
})
