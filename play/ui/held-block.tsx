import type { Signal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { daylightAt } from '../render/daylight.ts'
import { BlockIcon, listIcons } from '../render/icons/block-icon.tsx'
import type { Hud } from '../state/hud.ts'
import type { Settings } from '../state/settings.ts'

const noon = 12

/** The selected block in the player's hand, lit by the daylight. It swings on breaking and placing. */
export const HeldBlock = ({ hud, settings }: { hud: Hud; settings: Signal<Settings> }) => {
  const kinds = hud.kinds.value
  const icons = useMemo(() => listIcons(kinds), [kinds])
  const icon = icons.get(settings.value.hotbar[hud.slot.value] ?? '')
  if (icon === undefined) return null
  const [red, green, blue] = daylightAt(Math.round((hud.figures.value?.hour ?? noon) * 4) / 4).sky
  const swings = hud.swings.value
  return (
    // A new element each time restarts the swing.
    <div
      key={swings}
      class={swings === 0 ? 'hand' : 'hand swinging'}
      style={{ filter: `brightness(${((red + green + blue) / 3).toFixed(2)})` }}
      aria-hidden="true"
    >
      <BlockIcon {...icon} />
    </div>
  )
}
