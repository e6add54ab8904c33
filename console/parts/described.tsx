/** A text of the server with its parts in backticks as code. A text with an odd backtick is shown as it is. */
export const Described = ({ text }: { readonly text: string }) => {
  const parts = text.split('`')
  if (parts.length % 2 === 0) return <>{text}</>
  return <>{parts.map((part, at) => (at % 2 === 0 ? part : <code key={at}>{part}</code>))}</>
}
