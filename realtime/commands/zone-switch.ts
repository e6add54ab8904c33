import type { ArgumentValues, Command, CommandCaller, CommandContext, CommandReply } from './command.ts'
import { getText } from './executor/read-arguments.ts'
import { getNamedZoneId } from './find-zone.ts'

const switchZone = async (
  context: CommandContext,
  { actor }: CommandCaller,
  { named, enabled }: { readonly named: string; readonly enabled: boolean },
): Promise<CommandReply> => {
  const { zone } = await context.zones.changeZone(actor, getNamedZoneId(context, named), { enabled })
  // So that it is in force before the answer arrives.
  await context.gameZones.check()
  const { id, name, world } = zone
  return { ok: true, text: `Zone "${name}" of world ${world} is ${enabled ? 'on' : 'off'}.`, data: { id, name, world, enabled } }
}

/** What `/zone:enable` and `/zone:disable` have in common. */
const createZoneSwitch = (enabled: boolean): Pick<Command, 'forms' | 'permission' | 'privileged' | 'run'> => ({
  forms: [[{ name: 'id', kind: 'text' }]],
  permission: 'command.zone.write',
  privileged: true,
  run: (context, caller, args: ArgumentValues) => switchZone(context, caller, { named: getText(args, 'id'), enabled }),
})

/** `/zone:disable`: a zone, by id or name, is as if absent for players. */
export const zoneDisable: Command = {
  name: 'zone:disable',
  description: 'Switches a zone off: for players it is as if it were not there.',
  ...createZoneSwitch(false),
}

/** `/zone:enable`: a zone, by id or name, is there for players and protects its blocks. */
export const zoneEnable: Command = {
  name: 'zone:enable',
  description: 'Switches a zone on: it protects its blocks.',
  ...createZoneSwitch(true),
}
