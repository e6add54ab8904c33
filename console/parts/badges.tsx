import { words } from '../words/of-frame.ts'

/** Names side by side, such as the groups of an account. */
export const Badges = ({ names }: { readonly names: readonly string[] }) => {
  if (names.length === 0) return <span class="quiet">{words.none}</span>
  return names.map((name) => (
    <span key={name} class="badge">
      <bdi>{name}</bdi>
    </span>
  ))
}
