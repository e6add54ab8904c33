/** A text in which `words` has marked names by people (U+2068 … U+2069): each is isolated, so that its direction reorders nothing else. */
export const Isolated = ({ text }: { readonly text: string }) => (
  <>{text.split(/\u2068(.*?)\u2069/su).map((part, at) => (at % 2 === 0 ? part : <bdi key={at}>{part}</bdi>))}</>
)
