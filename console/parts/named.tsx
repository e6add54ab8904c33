type Props = {
  /** A sentence of `words`, made from the names. */
  readonly say: (...names: string[]) => string
  /** Names and texts by people. */
  readonly names: readonly string[]
}

/** Stands for a name while the sentence is made; people cannot write these (Private Use Area). */
const firstMark = 0xe000
const markPattern = /([\ue000-\uf8ff])/

/** A sentence with each name isolated: a name in another direction, or with a stray override, does not reorder the rest. */
export const Named = ({ say, names }: Props) => (
  <>
    {say(...names.map((_, at) => String.fromCharCode(firstMark + at)))
      .split(markPattern)
      .map((part, at) => (at % 2 === 0 ? part : <bdi key={at}>{names[part.charCodeAt(0) - firstMark]}</bdi>))}
  </>
)
