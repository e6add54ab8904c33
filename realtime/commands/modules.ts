import { knownCommand } from '../../shared/domain/permissions/known-commands.ts'
import { findDurationMs } from '../../shared/domain/sanctions/duration.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import type { Command, CommandContext, CommandReply } from './command.ts'
import { createRefusal } from './executor/decide-command.ts'
import { findText, getText } from './executor/read-arguments.ts'
import type { ModuleControl } from './module-control.ts'

const getModules = ({ modules }: CommandContext): ModuleControl => {
  const control = modules?.()
  if (control === undefined) throw new AppError('not-found', 'not-found', 'This command only works in the game.')
  return control
}

const describe = (
  { name, version, state, reason, msPerTick, handlers, faults, fault, setAside }: ReturnType<ModuleControl['list']>[number],
  tickMs: number,
): string => {
  const share = Math.round((msPerTick / tickMs) * 100)
  const place = [fault?.file, fault?.line, fault?.column].filter((part) => part !== undefined).join(':')
  const last =
    fault === undefined ? '' : `\n  last fault ${fault.id} at ${fault.at}: ${place === '' ? '' : `${place}: `}${fault.message}`
  const [slow] = handlers
  const slowest =
    slow === undefined
      ? ''
      : `\n  slowest handler ${slow.handler}: ${slow.msPerCall.toFixed(2)} ms a call, at most ${slow.longestMs.toFixed(2)} ms`
  const why = reason === undefined ? '' : ` because ${reason}`
  const isRunning = state === 'running' || state === 'slowed'
  const time = isRunning ? `${msPerTick.toFixed(2)} ms per tick (${share} %)` : 'does not run'
  const values = setAside === 1 ? '1 value is' : `${setAside} values are`
  const aside = setAside === 0 ? '' : `\n  ${values} set aside: the page of the module in the console shows them`
  const help = state === 'failed' || state === 'off' ? `\n  to run it again, fix it and enter /module reload ${name}` : ''
  return `${name}${version === '' ? '' : ` ${version}`}: ${state}${why}, ${time}, ${faults} ${faults === 1 ? 'fault' : 'faults'}${slowest}${last}${aside}${help}`
}

/** `/modules`: lists the modules of this node with their state, time, slowest handler and last fault. */
export const listModules: Command = {
  ...knownCommand('modules'),
  description: 'Lists the modules with their state, time per tick, slowest handler and last fault.',
  forms: [[]],
  run: (context) => {
    const modules = getModules(context).list()
    const tickMs = 1000 / context.configs.get('server.yaml').realtime.tickRate
    const text = modules.length === 0 ? 'There are no modules.' : modules.map((module) => describe(module, tickMs)).join('\n')
    return { ok: true, text, data: { modules } }
  },
}

const profileMsMax = 60_000
const actions = ['reload', 'on', 'off', 'profile'] as const
const isAction = (word: string): word is (typeof actions)[number] => actions.some((action) => action === word)

/** The lost things and how to load the new version anyway, or the error itself. */
const refuseLoss = (error: unknown): CommandReply => {
  if (!(error instanceof AppError) || error.slug !== 'would-lose') throw error
  return createRefusal('refused', `${error.publicDetail}\nTo load it anyway, add --yes.`, { slug: error.slug, ...error.members })
}

/** `/module`: loads modules again, starts and ends them, and measures one. */
export const switchModule: Command = {
  ...knownCommand('module'),
  description: 'Loads a module again (reload), starts or ends it (on, off), or measures it (profile).',
  forms: [
    [
      { name: 'reload-on-off-or-profile', kind: 'word' },
      { name: 'name', kind: 'word', optional: true },
      { name: 'yes-or-duration', kind: 'word', optional: true },
    ],
  ],
  run: async (context, _caller, args) => {
    const modules = getModules(context)
    const action = getText(args, 'reload-on-off-or-profile').toLowerCase()
    if (!isAction(action)) return createRefusal('refused', `Use one of: ${actions.join(', ')}.`)
    const words = [findText(args, 'name'), findText(args, 'yes-or-duration')]
    const yes = words.includes('--yes')
    const name = words.find((word) => word !== undefined && word !== '--yes')
    if (action === 'reload')
      return modules.reload(name, { yes }).then(
        (names) => ({
          ok: true,
          text:
            names.length === 0
              ? 'There are no modules.'
              : [`Reloaded: ${names.join(', ')}.`, ...modules.takenNames(names)].join('\n'),
          data: { names },
        }),
        refuseLoss,
      )
    if (name === undefined) return createRefusal('refused', 'Name a module. /modules lists them.')
    if (action === 'profile') {
      const written = words.find((word) => word !== undefined && word !== name) ?? '10s'
      const durationMs = findDurationMs(written)
      if (durationMs === undefined || durationMs > profileMsMax)
        return createRefusal('refused', 'Give a time of at most 60 seconds, such as 10s.')
      const file = await modules.profile(name, durationMs)
      const text = `Profiles the node for ${durationMs / 1000} s. Then open ${file} in the developer tools of Chromium.`
      return { ok: true, text, data: { name, file } }
    }
    await modules.setEnabled(name, action === 'on')
    const text = [`The module ${name} is ${action}.`, ...modules.takenNames([name])].join('\n')
    return { ok: true, text, data: { name, enabled: action === 'on' } }
  },
}
