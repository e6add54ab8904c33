import { effect, signal } from '@preact/signals'

export const themes = ['light', 'dark', 'system'] as const
export type Theme = (typeof themes)[number]

const key = 'gatehouse.theme'

/** Some browsers refuse storage, for example in private windows. */
const read = (): Theme => {
  try {
    const kept = localStorage.getItem(key)
    return themes.find((one) => one === kept) ?? 'system'
  } catch {
    return 'system'
  }
}

/** The colours of the console in this browser; `system` follows the settings of the device. */
export const theme = signal<Theme>(read())

/** Applies the theme to the page now and after each change. */
export const applyTheme = (): void => {
  effect(() => {
    document.documentElement.dataset.theme = theme.value
  })
}

export const chooseTheme = (chosen: Theme): void => {
  theme.value = chosen
  try {
    localStorage.setItem(key, chosen)
  } catch {
    // The choice lasts until the page is closed.
  }
}
