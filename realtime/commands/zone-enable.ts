import type { Command } from './command.ts'
import { createZoneSwitch } from './switch-zone.ts'

/** `/zone:enable`: a zone, by id or name, is there for players and protects its blocks. */
export const zoneEnable: Command = {
  name: 'zone:enable',
  description: 'Switches a zone on: it protects its blocks.',
  ...createZoneSwitch(true),
}
