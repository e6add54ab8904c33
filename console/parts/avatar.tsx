/** The number of colours in the style sheet. */
const colours = 6

const hash = (text: string): number => [...text].reduce((sum, one) => (sum * 31 + (one.codePointAt(0) ?? 0)) % 9973, 7)

/** The initial of a name on a colour of its own, with a dot for a connected player. Decorative: the name is beside it. */
export const Avatar = ({ name, isOnline = false }: { readonly name: string; readonly isOnline?: boolean }) => (
  <span class={`avatar avatar-${hash(name) % colours}`} aria-hidden="true">
    <bdi>{[...name.trim()].find((one) => /[\p{L}\p{N}]/u.test(one))?.toUpperCase() ?? '?'}</bdi>
    {isOnline && <span class="avatar-dot" />}
  </span>
)
