import { failSpan, serveInSpan } from '../../../shared/platform/tracing/spans.ts'
import type { RealtimeMetrics } from '../../metrics/realtime-metrics.ts'
import type { Command, CommandReply } from '../command.ts'
import type { CommandExecutor } from './executor.ts'
import { parseCommandText } from './parse-command.ts'

export type WatchExecutorDeps = {
  readonly commands: { all(): readonly Pick<Command, 'name'>[] }
  readonly metrics: Pick<RealtimeMetrics, 'countCommand'>
}

/** `ok`, or the code of the refusal. */
const outcomeOf = ({ ok, data }: CommandReply): string => {
  if (ok) return 'ok'
  const code = typeof data === 'object' && data !== null && 'code' in data ? data.code : undefined
  return typeof code === 'string' ? code : 'other'
}

/** Wraps `executor`: counts each command by outcome and makes a span with its name. Arguments are never recorded. */
export const watchExecutor = (executor: CommandExecutor, { commands, metrics }: WatchExecutorDeps): CommandExecutor => {
  const nameOf = (text: string): string => {
    const found = parseCommandText(text)
    return found.ok && commands.all().some(({ name }) => name === found.name) ? found.name : 'unknown'
  }
  return {
    ...executor,
    execute: (caller, text) =>
      serveInSpan('command', {}, async (span) => {
        const reply = await executor.execute(caller, text)
        const outcome = outcomeOf(reply)
        metrics.countCommand(outcome)
        span.updateName(`command ${nameOf(text)}`)
        span.setAttributes({ 'gatehouse.command': nameOf(text), 'gatehouse.outcome': outcome })
        if (outcome === 'failed') failSpan(span, outcome)
        span.end()
        return reply
      }),
  }
}
