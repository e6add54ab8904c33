import type { Stage } from '../../render/stage.ts'
import type { Hud } from '../../state/hud.ts'
import { words } from '../../words.ts'

export type GraphicsWatch = {
  /** Says once more that the picture is gone, where it is. */
  tellAgain(): void
  stop(): void
}

export type GraphicsWatchOptions = {
  readonly stage: Pick<Stage, 'isLost' | 'watch'>
  readonly hud: Pick<Hud, 'curtain' | 'toast'>
  /** The picture does not come back: what is shown has buttons, which want the mouse. */
  readonly onGone: () => void
  /** All that the graphics card had is gone, and the card is back. */
  readonly onRestored: () => void
}

/** A picture that has not come back by then is not expected any more. */
const goneMs = 10_000

/** Tells the player when the graphics card goes away, is given up, and comes back. */
export const watchGraphics = ({ stage, hud, onGone, onRestored }: GraphicsWatchOptions): GraphicsWatch => {
  let goneTimer: ReturnType<typeof setTimeout> | undefined
  let isGone = false
  const tellGone = (): void => {
    // Why a session has ended is told still.
    if (hud.curtain.value.kind !== 'ended')
      hud.curtain.value = { kind: 'ended', title: words.errors.contextGone, text: words.errors.contextGoneHelp }
    onGone()
  }
  const lose = (): void => {
    hud.toast('info', words.errors.contextLost)
    clearTimeout(goneTimer)
    goneTimer = setTimeout(() => {
      isGone = true
      tellGone()
    }, goneMs)
  }
  stage.watch({
    onLost: lose,
    onRestored: () => {
      clearTimeout(goneTimer)
      isGone = false
      if (hud.curtain.value.kind === 'ended' && hud.curtain.value.title === words.errors.contextGone)
        hud.curtain.value = { kind: 'none' }
      hud.toast('info', words.errors.contextBack)
      onRestored()
    },
  })
  // It may have gone while somebody stood at the door.
  if (stage.isLost()) lose()
  return {
    tellAgain: () => {
      if (isGone) tellGone()
    },
    stop: () => clearTimeout(goneTimer),
  }
}
