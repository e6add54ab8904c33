import type { House } from '../house/house.ts'
import type { Random } from '../random.ts'

/** The data of an attacker: the server's address, and tokens of ordinary accounts. */
export type Ground = {
  readonly host: string
  readonly port: number
  readonly url: string
  /** Tokens of the attacker's own players. */
  readonly tokens: readonly string[]
  readonly zoneId: string
  /** Values that the attack prepared. */
  readonly given: Readonly<Record<string, string>>
  readonly random: Random
  isOver(): boolean
}

/** One kind of hostile client. Attacks until `isOver`. */
export type Attack = {
  readonly name: string
  /** Prepares the data for the attack, before honest clients are measured. */
  readonly prepare?: (house: House) => Promise<Readonly<Record<string, string>>>
  /** Checks the effects of this attack on an honest client, at its full rate; returns each fault in words. */
  readonly observe?: (house: House) => Promise<readonly string[]>
  /** The limit for a hold of the loop, on any machine. */
  readonly lagMsMax?: number
  run(ground: Ground): Promise<void>
}
