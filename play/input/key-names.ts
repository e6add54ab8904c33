import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { nameOfKey } from '../state/settings.ts'
import { type KeyNames, type LayoutKeyboard, readKeyNames } from './layout-names.ts'

/** Key names of the layout in use when a window opens; briefly those of a US keyboard. */
export const useKeyNames = (): KeyNames => {
  const names = useSignal({ nameOf: nameOfKey })
  useEffect(() => {
    void readKeyNames((navigator as { keyboard?: LayoutKeyboard }).keyboard).then((nameOf) => {
      names.value = { nameOf }
    })
  }, [names])
  return names.value.nameOf
}
