import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

/** Longer than the time between two letters, so that the page renders once for a word. */
const pauseMs = 250

/** A search whose text is part of the address. It calls `change` when typing pauses, on Enter, and when it loses the focus. */
export const SearchField = ({
  label,
  value,
  maxLength,
  change,
  list,
  typed,
}: {
  /** Absent in a `Field`, which has the label. */
  readonly label?: string
  readonly value: string
  readonly maxLength?: number
  readonly change: (text: string) => void
  /** The id of a datalist with suggestions. */
  readonly list?: string
  /** Called with each letter, before the pause. */
  readonly typed?: (text: string) => void
}) => {
  const [text, setText] = useState(value)
  /** The last text that both sides have seen. */
  const common = useRef(value)
  useLayoutEffect(() => {
    if (value === common.current) return
    common.current = value
    setText(value)
  }, [value])
  const apply = () => {
    if (text === common.current) return
    common.current = text
    change(text)
  }
  useEffect(() => {
    const timer = setTimeout(apply, pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      value={text}
      maxLength={maxLength}
      list={list}
      autocomplete={list === undefined ? undefined : 'off'}
      onInput={({ currentTarget }) => {
        setText(currentTarget.value)
        typed?.(currentTarget.value)
      }}
      onBlur={apply}
      onKeyDown={({ key }) => key === 'Enter' && apply()}
    />
  )
}
