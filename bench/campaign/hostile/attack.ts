import type { House } from '../house/house.ts'
import type { Random } from '../random.ts'

/** What an attacker knows: where the server is, and what anybody may have who signs in. */
export type Ground = {
  readonly host: string
  readonly port: number
  readonly url: string
  /** Of players of the attacker's own. */
  readonly tokens: readonly string[]
  readonly zoneId: string
  /** What the attack prepared. */
  readonly given: Readonly<Record<string, string>>
  readonly random: Random
  isOver(): boolean
}

/** One kind of hostile client. Attacks until the ground says that it is over. */
export type Attack = {
  readonly name: string
  /** Makes what the attack needs, before honest clients are measured. */
  readonly prepare?: (house: House) => Promise<Readonly<Record<string, string>>>
  /** What an honest client sees of this attack in particular, once it is in full swing; each fault in words. */
  readonly observe?: (house: House) => Promise<readonly string[]>
  /** Longer than this the loop may not be held, on any machine. */
  readonly lagMsMax?: number
  run(ground: Ground): Promise<void>
}
