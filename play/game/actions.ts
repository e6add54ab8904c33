import type { ControlsOptions } from '../input/controls.ts'
import { type Hud, mayRun } from '../state/hud.ts'
import { words } from '../words.ts'

/** Refuses a player without the permission. */
export const toggleInspecting = (hud: Hud): void => {
  const may = mayRun(hud, 'inspect')
  hud.isInspecting.value = may && !hud.isInspecting.value
  if (!may) hud.toast('info', words.inspect.mayNot)
}

/** Actions of keys besides walking. Keys typed into a field are ignored. */
export const createActions = (hud: Hud, controls: () => { resume(): void; pause(): void }) => {
  const open = (screen: 'blocks' | 'chat'): void => {
    hud.screen.value = screen
    controls().pause()
  }
  const act: ControlsOptions['onAction'] = (action, event) => {
    const screen = hud.screen.value
    if (action === 'panel') {
      event.preventDefault()
      hud.isPanelOpen.value = !hud.isPanelOpen.value
    }
    // In the block picker, letters are a search.
    const isMeant = screen === 'none' || (screen === 'blocks' && action === 'blocks')
    if (hud.curtain.value.kind !== 'none' || !isMeant) return
    if (action === 'blocks') screen === 'blocks' ? controls().resume() : open('blocks')
    else if (action === 'chat' || action === 'command') {
      event.preventDefault()
      hud.draft.value = action === 'command' ? '/' : ''
      open('chat')
    } else if (action === 'players') hud.arePlayersShown.value = true
    else if (action === 'fly' && hud.mayFly.value) hud.isFlying.value = !hud.isFlying.value
    else if (action === 'fly') hud.toast('info', words.mayNotFly)
    else if (action === 'inspect') toggleInspecting(hud)
  }
  return act
}
