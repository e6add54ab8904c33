/** What one turn sends instead of what the case says. */
type Prepared = {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** One request whose hold of the loop is measured. */
export type HoldCase = {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Makes what this turn needs, unmeasured. */
  readonly prepare?: (turn: number) => Promise<Prepared>
}
