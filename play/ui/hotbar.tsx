import type { Signal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { press } from '../input/press.ts'
import { BlockIcon, listIcons } from '../render/icons/block-icon.tsx'
import type { Hud } from '../state/hud.ts'
import type { Settings } from '../state/settings.ts'
import { words } from '../words.ts'

/** The hotbar: nine blocks, with the selected one highlighted. */
export const Hotbar = ({ hud, settings }: { hud: Hud; settings: Signal<Settings> }) => {
  const kinds = hud.kinds.value
  const icons = useMemo(() => listIcons(kinds), [kinds])
  const chosen = hud.slot.value
  const nameOf = (id: string): string => words.blockName(kinds.find((kind) => kind.id === id) ?? { id })
  return (
    <div class="hotbar" role="toolbar" aria-label={words.hotbar}>
      {settings.value.hotbar.map((id, at) => {
        const icon = icons.get(id)
        return (
          <button
            type="button"
            key={`${at} ${id}`}
            class={at === chosen ? 'slot chosen' : 'slot'}
            aria-pressed={at === chosen}
            aria-label={`${words.blocks.slot(at + 1)}: ${nameOf(id)}`}
            {...press(() => {
              hud.slot.value = at
            })}
          >
            {icon === undefined ? null : <BlockIcon {...icon} />}
            <small>{at + 1}</small>
          </button>
        )
      })}
      <span class="held" key={settings.value.hotbar[chosen]}>
        {nameOf(settings.value.hotbar[chosen] ?? '')}
      </span>
    </div>
  )
}
