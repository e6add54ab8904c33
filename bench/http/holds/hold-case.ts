/** Values of one iteration that replace those of the case. */
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
  /** Creates the data for an iteration, unmeasured. */
  readonly prepare?: (turn: number) => Promise<Prepared>
}
