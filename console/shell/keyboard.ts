import { signal } from '@preact/signals'
import { go, linkTo } from '../state/route.ts'
import { mayDo } from '../state/session.ts'
import { words } from '../words/of-frame.ts'
import { pages } from './pages.tsx'

/** The open layer above the page. */
export const layer = signal<'palette' | 'help' | undefined>(undefined)

export const openPalette = (): void => {
  layer.value = 'palette'
}
export const openHelp = (): void => {
  layer.value = 'help'
}
export const closeLayer = (): void => {
  layer.value = undefined
}

const isMac = /Mac|iP(hone|ad|od)/.test(navigator.userAgent)
/** The keys of the palette, as this device writes them. */
export const paletteKeys = `${isMac ? words.shell.mac : words.shell.control} K`

const switchKey = 'gatehouse.singleKeys'

const readSwitch = (): boolean => {
  try {
    return localStorage.getItem(switchKey) !== 'off'
  } catch {
    return true
  }
}

/** Whether single keys work as shortcuts. Users of voice control can switch them off (WCAG 2.1.4). */
export const hasSingleKeys = signal(readSwitch())

export const setSingleKeys = (areOn: boolean): void => {
  hasSingleKeys.value = areOn
  try {
    localStorage.setItem(switchKey, areOn ? 'on' : 'off')
  } catch {
    // The choice lasts until the page is closed.
  }
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('input, select, textarea, [contenteditable], [role=application], canvas, .code') !== null

/** How long `g` waits for the key of a page. */
const waitMs = 1500
let goUntilMs = 0

const openPage = (key: string): boolean => {
  const page = pages.find((one) => one.key === key && (one.permission === undefined || mayDo(one.permission)))
  if (page !== undefined) go(linkTo([page.name]))
  return page !== undefined
}

/** Returns whether the key was a shortcut. */
const press = (key: string, nowMs: number): boolean => {
  const isGo = nowMs < goUntilMs
  goUntilMs = 0
  if (isGo) return openPage(key)
  if (key === 'g') {
    goUntilMs = nowMs + waitMs
    return true
  }
  if (key === '?') {
    openHelp()
    return true
  }
  if (key !== '/') return false
  const field = document.querySelector<HTMLInputElement>('main input[type=search]')
  field?.focus()
  return field !== null
}

/** Handles the shortcuts of the whole console. */
export const onShortcut = (event: KeyboardEvent): void => {
  const { key, ctrlKey, metaKey, altKey, target } = event
  if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'k') {
    event.preventDefault()
    if (document.querySelector('dialog[open]') === null) openPalette()
    return
  }
  if (!hasSingleKeys.peek() || ctrlKey || metaKey || altKey || isTyping(target)) return
  if (document.querySelector('dialog[open], [popover]:popover-open') !== null) return
  if (press(key, performance.now())) event.preventDefault()
}
