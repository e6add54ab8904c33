import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { nameOfKey } from '../state/settings.ts'

/** What Chromium tells about the keyboard; others do not, and TypeScript knows nothing of it. */
export type LayoutKeyboard = { getLayoutMap(): Promise<{ get(code: string): string | undefined }> }

/** What stands on a key, by its code. */
export type KeyNames = (code: string) => string

/** One letter stays one: `ß` has no capital of its own. */
const capitalise = (sign: string): string => {
  const capital = sign.toUpperCase()
  return capital.length === sign.length ? capital : sign
}

/** As the player's own layout has them: KeyW is Z in France. Where the browser does not tell the layout, as on a keyboard of the USA. */
export const readKeyNames = async (keyboard: LayoutKeyboard | undefined): Promise<KeyNames> => {
  try {
    const layout = await keyboard?.getLayoutMap()
    return (code) => {
      const sign = layout?.get(code)?.trim() ?? ''
      return sign === '' ? nameOfKey(code) : capitalise(sign)
    }
  } catch {
    // A page around this one may forbid it.
    return nameOfKey
  }
}

/** The names of keys by the layout that is chosen as a window opens; for a moment those of a keyboard of the USA. */
export const useKeyNames = (): KeyNames => {
  const names = useSignal({ nameOf: nameOfKey })
  useEffect(() => {
    void readKeyNames((navigator as { keyboard?: LayoutKeyboard }).keyboard).then((nameOf) => {
      names.value = { nameOf }
    })
  }, [names])
  return names.value.nameOf
}
