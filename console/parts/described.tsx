/** A description with its parts in backticks as code. */
export const Described = ({ text }: { readonly text: string }) => (
  <>{text.split('`').map((part, at) => (at % 2 === 0 ? part : <code key={at}>{part}</code>))}</>
)
