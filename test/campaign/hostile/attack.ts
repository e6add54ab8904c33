import type { Random } from '../random.ts'

/** What an attacker knows: where the server is, and what anybody may have who signs in. */
export type Ground = {
  readonly host: string
  readonly port: number
  readonly url: string
  /** Of players of the attacker's own. */
  readonly tokens: readonly string[]
  readonly zoneId: string
  readonly random: Random
  isOver(): boolean
}

/** One kind of hostile client. Attacks until the ground says that it is over. */
export type Attack = {
  readonly name: string
  run(ground: Ground): Promise<void>
}
