import { words } from '../words.ts'

export type WorldFieldProps = {
  readonly worlds: readonly string[]
  /** Empty for whichever the server takes. */
  readonly world: string
  readonly onChange: (world: string) => void
}

/** Which world one plays in; nothing where there is one alone. */
export const WorldField = ({ worlds, world, onChange }: WorldFieldProps) =>
  worlds.length < 2 ? null : (
    <label class="worlds">
      {words.worlds.label}
      <select value={world} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {world === '' ? <option value="">{words.worlds.usual}</option> : null}
        {worlds.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
