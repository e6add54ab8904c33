import { type Signal, useSignal } from '@preact/signals'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { BlockIcon, listIcons } from '../render/icons/block-icon.tsx'
import type { Hud } from '../state/hud.ts'
import type { Settings } from '../state/settings.ts'
import { words } from '../words.ts'

/** All placeable blocks. A click puts one into the selected slot. */
export const Picker = ({ hud, settings, onDone }: { hud: Hud; settings: Signal<Settings>; onDone: () => void }) => {
  const search = useSignal('')
  const field = useRef<HTMLInputElement>(null)
  // Letters start a search. The key that opened the window closes it, which the game handles.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.target === field.current) return
      if (event.key === 'Escape') onDone()
      else if (event.key.length === 1 && event.code !== settings.value.keys.blocks) field.current?.focus()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [settings, onDone])
  const icons = useMemo(() => listIcons(hud.kinds.value), [hud.kinds.value])
  const wanted = search.value.trim().toLowerCase()
  const kinds = hud.kinds.value.filter(
    (kind) =>
      kind.index !== 0 &&
      (kind as { placeholder?: boolean }).placeholder !== true &&
      words.blockName(kind).toLowerCase().includes(wanted),
  )
  const choose = (id: string): void => {
    const hotbar = settings.value.hotbar.map((was, at) => (at === hud.slot.value ? id : was))
    settings.value = { ...settings.value, hotbar }
    onDone()
  }
  return (
    <div class="window picker" role="dialog" aria-label={words.blocks.title}>
      <header>
        <h2>{words.blocks.title}</h2>
        <input
          ref={field}
          type="search"
          placeholder={words.blocks.search}
          aria-label={words.blocks.search}
          value={search.value}
          onInput={({ currentTarget }) => {
            search.value = currentTarget.value
          }}
          onKeyDown={({ key, isComposing }) => {
            if (isComposing) return
            if (key === 'Escape') onDone()
            if (key === 'Enter' && kinds[0] !== undefined) choose(kinds[0].id)
          }}
        />
        <button type="button" class="close" aria-label={words.close} onClick={onDone}>
          ×
        </button>
      </header>
      <ul>
        {kinds.map((kind) => {
          const { id } = kind
          const icon = icons.get(id)
          return (
            <li key={id}>
              <button type="button" onClick={() => choose(id)}>
                {icon === undefined ? null : <BlockIcon {...icon} />}
                <span>{words.blockName(kind)}</span>
              </button>
            </li>
          )
        })}
      </ul>
      {kinds.length === 0 ? <p>{words.blocks.none}</p> : null}
    </div>
  )
}
