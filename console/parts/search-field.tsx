import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

/** A search whose text is part of the address. It shows a typed letter first, and calls `change` after that frame. */
export const SearchField = ({
  label,
  value,
  change,
}: {
  readonly label: string
  readonly value: string
  readonly change: (text: string) => void
}) => {
  const [text, setText] = useState(value)
  /** The last text that both sides have seen. */
  const common = useRef(value)
  useLayoutEffect(() => {
    if (value === common.current) return
    common.current = value
    setText(value)
  }, [value])
  useEffect(() => {
    if (text === common.current) return
    common.current = text
    change(text)
  }, [text])
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      value={text}
      onInput={({ currentTarget }) => setText(currentTarget.value)}
    />
  )
}
