import type { Signal } from '@preact/signals'
import type { Hud } from '../state/hud.ts'
import type { Settings } from '../state/settings.ts'
import { words } from '../words.ts'
import { BlockIcon } from './block-icon.tsx'

/** How the icon of a kind looks, by what the server tells of kinds. */
export const iconOf = (kinds: Hud['kinds']['value'], id: string) => {
  const kind = kinds.find((one) => one.id === id)
  const soil = id === 'grass' ? kinds.find((one) => one.id === 'dirt')?.colour : undefined
  const isFlat = kind !== undefined && !kind.solid && !/water|lava/.test(id)
  return kind === undefined ? undefined : { colour: kind.colour, side: soil ?? kind.colour, isFlat }
}

/** Nine blocks at hand, the chosen one lit. */
export const Hotbar = ({ hud, settings }: { hud: Hud; settings: Signal<Settings> }) => {
  const kinds = hud.kinds.value
  const chosen = hud.slot.value
  return (
    <div class="hotbar" role="toolbar" aria-label={words.hotbar}>
      {settings.value.hotbar.map((id, at) => {
        const icon = iconOf(kinds, id)
        return (
          <button
            type="button"
            key={`${at} ${id}`}
            class={at === chosen ? 'slot chosen' : 'slot'}
            aria-pressed={at === chosen}
            aria-label={`${words.blocks.slot(at + 1)}: ${words.blockName(id)}`}
            onClick={() => {
              hud.slot.value = at
            }}
          >
            {icon === undefined ? null : <BlockIcon {...icon} />}
            <small>{at + 1}</small>
          </button>
        )
      })}
      <span class="held" key={settings.value.hotbar[chosen]}>
        {words.blockName(settings.value.hotbar[chosen] ?? '')}
      </span>
    </div>
  )
}
