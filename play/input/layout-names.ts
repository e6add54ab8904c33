import { nameOfKey } from '../state/settings.ts'

/** Chromium's keyboard API; other browsers lack it, and TypeScript has no types for it. */
export type LayoutKeyboard = { getLayoutMap(): Promise<{ get(code: string): string | undefined }> }

/** The label of a key, by its code. */
export type KeyNames = (code: string) => string

/** Only single letters: the capital of `ß` has two. */
const capitalise = (sign: string): string => {
  const capital = sign.toUpperCase()
  return capital.length === sign.length ? capital : sign
}

/** Labels by the player's keyboard layout: KeyW is Z in France. Browsers without the API show the US layout. */
export const readKeyNames = async (keyboard: LayoutKeyboard | undefined): Promise<KeyNames> => {
  try {
    const layout = await keyboard?.getLayoutMap()
    return (code) => {
      const sign = layout?.get(code)?.trim() ?? ''
      return sign === '' ? nameOfKey(code) : capitalise(sign)
    }
  } catch {
    // An embedding page can forbid it.
    return nameOfKey
  }
}
