import { describe, expect, it } from '@jest/globals'
import type { CommandCaller, CommandReply } from '../../../../realtime/commands/command.ts'
import { createRefusal } from '../../../../realtime/commands/executor/decide-command.ts'
import { watchExecutor } from '../../../../realtime/commands/executor/watch-executor.ts'
import { noTracing, type Span, type Tracing } from '../../../../shared/kernel/tracing.ts'

const caller: CommandCaller = { actor: { kind: 'operator' } as never, disabled: new Set() }

/** Answers every command with `reply`, and records what observers receive. */
const openWatched = (reply: CommandReply) => {
  const outcomes: string[] = []
  const told: unknown[] = []
  const span: Span = {
    rename: (name) => told.push(name),
    add: (facts) => told.push(facts),
    fail: (type) => told.push({ failed: type }),
    end: () => told.push('end'),
  }
  const tracing: Tracing = { ...noTracing, serve: (_name, _headers, work) => work(span) }
  const executor = watchExecutor(
    { execute: async () => reply, listCommandsFor: () => [] },
    { commands: { all: () => [{ name: 'who' }] }, metrics: { countCommand: (outcome) => outcomes.push(outcome) }, tracing },
  )
  return { executor, outcomes, told }
}

describe('a command observer', () => {
  it('receives the outcome of each command, with its name if the command exists', async () => {
    const { executor, outcomes, told } = openWatched({ ok: true, text: 'You.' })
    expect(await executor.execute(caller, '/WHO am i')).toEqual({ ok: true, text: 'You.' })
    expect(outcomes).toEqual(['ok'])
    expect(told).toEqual(['command who', { 'gatehouse.command': 'who', 'gatehouse.outcome': 'ok' }, 'end'])
  })

  it('receives the code of a refusal, and nothing that the caller typed', async () => {
    const { executor, outcomes, told } = openWatched(createRefusal('unknown-command', 'There is no command /hunter2.'))
    await executor.execute(caller, '/hunter2 secret')
    expect(outcomes).toEqual(['unknown-command'])
    expect(JSON.stringify(told)).not.toMatch(/hunter2|secret/)
  })

  it('receives a failure as an outcome', async () => {
    const { executor, told } = openWatched(createRefusal('failed', 'internal error'))
    await executor.execute(caller, '/who')
    expect(told).toContainEqual({ failed: 'failed' })
  })
})
