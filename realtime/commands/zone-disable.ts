import type { Command } from './command.ts'
import { createZoneSwitch } from './switch-zone.ts'

/** `/zone:disable`: a zone, by id or name, is as if absent for players. */
export const zoneDisable: Command = {
  name: 'zone:disable',
  description: 'Switches a zone off: for players it is as if it were not there.',
  ...createZoneSwitch(false),
}
