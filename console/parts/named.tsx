type Props = {
  /** A sentence from `words` with names in it. */
  readonly say: (...names: string[]) => string
  /** Names and texts that people wrote. */
  readonly names: readonly string[]
}

/** A placeholder for a name. People cannot enter it (Private Use Area). */
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
