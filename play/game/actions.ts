import type { ControlsOptions } from '../input/controls.ts'
import { type Hud, mayRun } from '../state/hud.ts'
import { words } from '../words.ts'

/** Who may not ask is told so. */
export const toggleInspecting = (hud: Hud): void => {
  const may = mayRun(hud, 'inspect')
  hud.isInspecting.value = may && !hud.isInspecting.value
  if (!may) hud.toast('info', words.inspect.mayNot)
}

/** What keys do that do not walk; those who type are left alone. */
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
    // Letters look for a block there.
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
