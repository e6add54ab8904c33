import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { trace } from '@opentelemetry/api'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { CommandCaller, CommandReply } from '../../../../realtime/commands/command.ts'
import { createRefusal } from '../../../../realtime/commands/executor/decide-command.ts'
import { watchExecutor } from '../../../../realtime/commands/executor/watch-executor.ts'

const caller: CommandCaller = { actor: { kind: 'operator' } as never, disabled: new Set() }

const exporter = new InMemorySpanExporter()
beforeAll(() => {
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }))
})
beforeEach(() => exporter.reset())
afterAll(() => trace.disable())
const listSpans = () => exporter.getFinishedSpans().map(({ name, attributes }) => ({ name, attributes }))

/** Answers every command with `reply`, and records the outcomes. */
const openWatched = (reply: CommandReply) => {
  const outcomes: string[] = []
  const executor = watchExecutor(
    { execute: async () => reply, listCommandsFor: () => [] },
    { commands: { all: () => [{ name: 'who' }] }, metrics: { countCommand: (outcome) => outcomes.push(outcome) } },
  )
  return { executor, outcomes }
}

describe('a command observer', () => {
  it('receives the outcome of each command, with its name if the command exists', async () => {
    const { executor, outcomes } = openWatched({ ok: true, text: 'You.' })
    expect(await executor.execute(caller, '/WHO am i')).toEqual({ ok: true, text: 'You.' })
    expect(outcomes).toEqual(['ok'])
    const attributes = { 'gatehouse.command': 'who', 'gatehouse.outcome': 'ok' }
    expect(listSpans()).toEqual([{ name: 'command who', attributes }])
  })

  it('receives the code of a refusal, and nothing that the caller typed', async () => {
    const { executor, outcomes } = openWatched(createRefusal('unknown-command', 'There is no command /hunter2.'))
    await executor.execute(caller, '/hunter2 secret')
    expect(outcomes).toEqual(['unknown-command'])
    expect(JSON.stringify(listSpans())).not.toMatch(/hunter2|secret/)
  })

  it('receives a failure as an outcome', async () => {
    const { executor } = openWatched(createRefusal('failed', 'internal error'))
    await executor.execute(caller, '/who')
    expect(listSpans()).toMatchObject([{ attributes: { 'error.type': 'failed' } }])
  })
})
