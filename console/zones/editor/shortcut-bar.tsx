import { type EditorModel, pageOf, slotsOf } from './building/editor-model.ts'
import { KindIcon } from './kind-icon.tsx'
import type { ListedKind } from './scene/block-kinds.ts'
import { words } from './words.ts'

type Props = { readonly model: EditorModel; readonly kinds: readonly ListedKind[] }

const pagesMax = 10

/** The ten block shortcuts, and their pages from the zone's layout. */
export const ShortcutBar = ({ model, kinds }: Props) => {
  const count = Math.max(1, model.pages.value.length)
  const page = pageOf(model)
  const turnTo = (to: number) => () => {
    if (to === count)
      model.pages.value = [...(model.pages.peek().length === 0 ? [slotsOf(model, kinds)] : model.pages.peek()), []]
    model.page.value = to
  }
  return (
    <div class="shortcut-bar">
      {/* biome-ignore lint/a11y/useSemanticElements: a row of buttons, not of fields. */}
      <div class="slots" role="group" aria-label={words.editor.bar}>
        {slotsOf(model, kinds).map((id, at) => {
          const kind = kinds.find((one) => one.id === id)
          const name = kind?.name ?? id ?? words.editor.emptySlot
          return (
            <button
              key={at}
              type="button"
              class="slot"
              title={name}
              aria-label={words.editor.slot((at + 1) % 10, name)}
              aria-pressed={model.slot.value === at}
              onClick={() => {
                model.slot.value = at
              }}
            >
              <KindIcon kinds={kinds} id={id} />
            </button>
          )
        })}
      </div>
      <div class="actions">
        <button type="button" aria-label={words.editor.pageBefore} disabled={page === 0} onClick={turnTo(page - 1)}>
          {'‹'}
        </button>
        <span>{words.editor.page(page + 1, count)}</span>
        <button
          type="button"
          aria-label={page + 1 < count ? words.editor.pageAfter : words.editor.addPage}
          disabled={page + 1 === pagesMax}
          onClick={turnTo(page + 1)}
        >
          {page + 1 < count ? '›' : '+'}
        </button>
      </div>
    </div>
  )
}
