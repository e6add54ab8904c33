import { BlockIcon, listIcons } from '../../../play/render/icons/block-icon.tsx'
import type { ListedKind } from './scene/block-kinds.ts'

type Icons = ReturnType<typeof listIcons>

const made = new WeakMap<readonly ListedKind[], Icons>()

/** The icons of the kinds, as the terrain draws them. */
const iconsOf = (kinds: readonly ListedKind[]): Icons => {
  const known = made.get(kinds)
  if (known !== undefined) return known
  const icons = listIcons(
    kinds.map(({ id, colour, solid }, at) => ({ index: at + 1, id, colour: Number.parseInt(colour.slice(1), 16), solid })),
  )
  made.set(kinds, icons)
  return icons
}

/** A block kind as a textured cube; an empty square for none. */
export const KindIcon = ({ kinds, id }: { readonly kinds: readonly ListedKind[]; readonly id: string | null | undefined }) => {
  const icon = id == null ? undefined : iconsOf(kinds).get(id)
  return <span class="kind-icon">{icon !== undefined && <BlockIcon {...icon} />}</span>
}
