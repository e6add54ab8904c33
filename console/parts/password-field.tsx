import { useId, useRef, useState } from 'preact/hooks'
import { words } from '../words/of-frame.ts'
import { FaultOf } from './field.tsx'

/** A password field with a button that shows the password. */
export const PasswordField = ({
  label,
  name = 'password',
  hint,
  isNew = false,
  isRequired = true,
}: {
  readonly label: string
  readonly name?: string
  readonly hint?: string
  /** For a new password: at least eight characters. */
  readonly isNew?: boolean
  readonly isRequired?: boolean
}) => {
  const [isShown, setShown] = useState(false)
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const toggle = () => {
    if (input.current !== null) input.current.type = isShown ? 'password' : 'text'
    setShown(!isShown)
  }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="entry-row">
        <input
          id={id}
          name={name}
          type="password"
          ref={input}
          required={isRequired}
          autocomplete={isNew ? 'new-password' : 'current-password'}
          {...(isNew && { minLength: 8, maxLength: 72 })}
        />
        <button type="button" aria-pressed={isShown} aria-controls={id} onClick={toggle}>
          {isShown ? words.signIn.hide : words.signIn.show}
        </button>
      </div>
      <FaultOf name={name} />
      {(hint ?? (isNew ? words.newPassword.hint : undefined)) !== undefined && <small>{hint ?? words.newPassword.hint}</small>}
    </div>
  )
}
