import type { Signal } from '@preact/signals'
import { words } from '../words.ts'

export const EmailField = ({ value }: { value: Signal<string> }) => (
  <label>
    {words.signIn.email}
    <input
      type="email"
      name="email"
      required
      maxLength={254}
      autoComplete="username"
      // biome-ignore lint/a11y/noAutofocus: the page is nothing but this field
      autoFocus
      value={value.value}
      onInput={({ currentTarget }) => {
        value.value = currentTarget.value
      }}
    />
  </label>
)

type PasswordFieldProps = {
  readonly value: Signal<string>
  readonly isRequired?: boolean
  /** For a new password: at least eight characters. */
  readonly isNew?: boolean
}

export const PasswordField = ({ value, isRequired = false, isNew = false }: PasswordFieldProps) => (
  <label>
    {isNew ? words.signIn.newPassword : words.signIn.password}
    <input
      type="password"
      name="password"
      required={isRequired}
      {...(isNew && { minLength: 8 })}
      autoComplete={isNew ? 'new-password' : 'current-password'}
      value={value.value}
      onInput={({ currentTarget }) => {
        value.value = currentTarget.value
      }}
    />
  </label>
)

type TextFieldProps = {
  readonly label: string
  readonly name: string
  readonly value: Signal<string>
  readonly isRequired?: boolean
}

export const TextField = ({ label, name, value, isRequired = false }: TextFieldProps) => (
  <label>
    {label}
    <input
      name={name}
      required={isRequired}
      maxLength={200}
      autoComplete="off"
      value={value.value}
      onInput={({ currentTarget }) => {
        value.value = currentTarget.value
      }}
    />
  </label>
)
