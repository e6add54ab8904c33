import { knownCommand } from '../../shared/domain/permissions/known-commands.ts'
import type { ArgumentValues, Command, CommandCaller, CommandContext, CommandReply } from './command.ts'
import { getText } from './executor/read-arguments.ts'
import { getNamedZoneId } from './find-zone.ts'

const switchZone = async (
  context: CommandContext,
  { actor }: CommandCaller,
  { named, enabled }: { readonly named: string; readonly enabled: boolean },
): Promise<CommandReply> => {
  const { zone } = await context.zones.changeZone(actor, getNamedZoneId(context, named), { enabled })
  // Applies the change before the answer arrives.
  await context.gameZones.check()
  const { id, name, world } = zone
  return {
    ok: true,
    text: `Zone "${name}" of world ${world} is ${enabled ? 'enabled' : 'disabled'}.`,
    data: { id, name, world, enabled },
  }
}

/** The common parts of `/zone:enable` and `/zone:disable`. */
const createZoneSwitch = (enabled: boolean): Pick<Command, 'forms' | 'run'> => ({
  forms: [[{ name: 'id', kind: 'text' }]],
  run: (context, caller, args: ArgumentValues) => switchZone(context, caller, { named: getText(args, 'id'), enabled }),
})

/** `/zone:disable`: disables a zone by id or name. Players play as if it did not exist. */
export const zoneDisable: Command = {
  ...knownCommand('zone:disable'),
  description: 'Disables a zone. It no longer protects its blocks.',
  ...createZoneSwitch(false),
}

/** `/zone:enable`: enables a zone by id or name. It protects its blocks. */
export const zoneEnable: Command = {
  ...knownCommand('zone:enable'),
  description: 'Enables a zone. It protects its blocks.',
  ...createZoneSwitch(true),
}
