import { words } from '../words.ts'

export type WorldFieldProps = {
  readonly worlds: readonly string[]
  /** Empty for the server's default. */
  readonly world: string
  readonly onChange: (world: string) => void
}

/** The choice of the world; hidden if there is only one. */
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
