import { effect, type Signal, signal } from '@preact/signals'
import { parseSettings, type Settings } from './settings.ts'

const storeName = 'gatehouse.play.settings'

const read = (): unknown => {
  try {
    return JSON.parse(localStorage.getItem(storeName) ?? '{}')
  } catch {
    // Storage is off, or its content is not readable.
    return {}
  }
}

/** The settings of this browser. Changes are stored. */
export const openSettings = (): Signal<Settings> => {
  const settings = signal(parseSettings(read()))
  effect(() => {
    const text = JSON.stringify(settings.value)
    try {
      localStorage.setItem(storeName, text)
    } catch {
      // They apply until the page is closed.
    }
  })
  return settings
}
