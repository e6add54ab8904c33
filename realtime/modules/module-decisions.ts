import type { ModuleAdvice } from '../../shared/domain/explain/check-modules.ts'
import type { DecideName } from '../../shared/domain/modules/module-spec.ts'
import type { Log } from '../../shared/kernel/log.ts'
import { type AnswerDecision, type EventFor, type ModuleHooks, type ModuleRefusal, textOf } from '../game/module-hooks.ts'
import type { Session } from '../sessions/session.ts'
import type { CallOutcome, CallSource, ModuleCall, ModuleCalls } from './module-calls.ts'
import type { ModuleContext } from './module-context.ts'
import { isRefusal } from './module-messages.ts'
import type { ModulePlayers } from './module-player.ts'
import type { RunningModule } from './running-module.ts'

type Question = { readonly name: DecideName; readonly session: Session; readonly event: EventFor }

type Decision = Question & {
  readonly asked: readonly RunningModule[]
  /** Called in the batch, as soon as all modules allow it. */
  readonly allowed?: () => void
  readonly answer: AnswerDecision
}

/** Returns the refusal. The id of a fault is only known after the batch. */
type Verdict = () => ModuleRefusal | undefined

const allow: Verdict = () => undefined

/** What modules decide about. The decisions of a tick are one batch, under one time limit. */
export type ModuleDecisions = Pick<
  ModuleHooks,
  'decides' | 'decide' | 'decideNow' | 'decideMove' | 'isWaiting' | 'hold' | 'settle'
> & {
  /** What each deciding module says, without an effect. `session` is undefined for a player who is not in the world. */
  advise(name: DecideName, session: Session | undefined, event: EventFor): readonly ModuleAdvice[]
  setModules(modules: readonly RunningModule[]): void
}

export type ModuleDecisionsDeps = {
  readonly calls: Pick<ModuleCalls, 'run'>
  readonly players: Pick<ModulePlayers, 'of'>
  readonly contextOf: (module: RunningModule) => ModuleContext
  /** The id of the fault of a failed call. */
  readonly faultIdOf: (call: ModuleCall) => string | undefined
  /** Whether the session has not ended. */
  readonly isHere: (session: Session) => boolean
  readonly log: Log
}

/** Modules that are refused while off, by `whenOff`. */
const decidedByWhenOff: ReadonlySet<DecideName> = new Set(['edit', 'chat'])

const offText = 'This is not possible at the moment, because the module is switched off.'

export const createModuleDecisions = (deps: ModuleDecisionsDeps): ModuleDecisions => {
  const { calls, players, contextOf, faultIdOf, isHere, log } = deps
  let deciders: ReadonlyMap<DecideName, readonly RunningModule[]> = new Map()
  let open: Decision[] = []
  /** Messages behind a move that waits for its decision, by player. */
  const held = new Map<Session, (() => void)[]>()

  const askAll = function* (
    { name, session, event }: Question,
    asked: readonly RunningModule[],
  ): Generator<ModuleCall, Verdict, CallOutcome> {
    for (const module of asked) {
      const run = module.spec.decide.get(name)
      if (run === undefined) continue
      if (module.isOff) {
        if (module.entry.whenOff === 'allow' || !decidedByWhenOff.has(name)) continue
        return () => ({ code: 'module-rules', module: module.name, text: offText })
      }
      const call: ModuleCall = {
        module,
        label: `decide.${name}`,
        mode: 'decide',
        run: () => run(event(players.of(module, session)), contextOf(module)),
      }
      const outcome = yield call
      if (!outcome.ok && name === 'join') continue
      if (!outcome.ok) return () => ({ code: 'module-failed', module: module.name, text: faultIdOf(call) ?? '' })
      const { value } = outcome
      if (isRefusal(value)) return () => ({ code: 'module-rules', module: module.name, text: String(value.refuse) })
    }
    return allow
  }

  const askNow = (question: Question, asked: readonly RunningModule[]): ModuleRefusal | undefined => {
    let verdict = allow
    const source = function* (): CallSource {
      verdict = yield* askAll(question, asked)
    }
    calls.run(source())
    return verdict()
  }

  const runSafely = (run: () => void): void => {
    try {
      run()
    } catch (error) {
      log.error({ cause: error instanceof Error ? error.stack : 'unknown' }, 'a message behind a decision failed')
    }
  }

  /** After the decision about a move: handles the held messages of the player, up to the next move. */
  const release = function* (session: Session): Generator<undefined, void, CallOutcome> {
    const messages = held.get(session) ?? []
    held.delete(session)
    for (const [at, message] of messages.entries()) {
      yield undefined
      if (isHere(session)) runSafely(message)
      if (!held.has(session)) continue
      held.set(session, messages.slice(at + 1))
      return
    }
  }

  const settle = (): void => {
    if (open.length === 0) return
    const settled: { readonly decision: Decision; readonly verdict: Verdict }[] = []
    const source = function* (): CallSource {
      // Messages that were held may ask for more decisions.
      for (const decision of open) {
        yield undefined
        const { session, asked, allowed } = decision
        if (isHere(session)) {
          const verdict = yield* askAll(decision, asked)
          if (verdict === allow && allowed !== undefined) runSafely(allowed)
          settled.push({ decision, verdict })
        }
        if (decision.name === 'move') yield* release(session)
      }
    }
    calls.run(source())
    open = []
    // A player may have left since, and is then not answered.
    for (const { decision, verdict } of settled) if (isHere(decision.session)) runSafely(() => decision.answer(verdict()))
  }

  return {
    setModules: (modules) => {
      const found = new Map<DecideName, RunningModule[]>()
      for (const module of modules)
        for (const name of module.spec.decide.keys()) found.set(name, [...(found.get(name) ?? []), module])
      deciders = found
    },
    decides: (name) => deciders.has(name),
    decide: (name, session, event, answer) => void open.push({ name, session, event, asked: deciders.get(name) ?? [], answer }),
    decideMove: (session, to, isAtBorder, allowed, refused) => {
      const asked = (deciders.get('move') ?? []).filter(
        ({ isOff, spec }) => !isOff && (isAtBorder || spec.needs.includes('every-move')),
      )
      if (asked.length === 0) return false
      const answer: AnswerDecision = (refusal) => {
        if (refusal !== undefined) refused(refusal)
      }
      open.push({ name: 'move', session, event: (player) => ({ player, to }), asked, allowed, answer })
      held.set(session, held.get(session) ?? [])
      return true
    },
    isWaiting: (session) => held.has(session),
    hold: (session, message) => void held.get(session)?.push(message),
    decideNow: (name, session, event) => askNow({ name, session, event }, deciders.get(name) ?? []),
    advise: (name, session, event) =>
      (deciders.get(name) ?? []).map((module): ModuleAdvice => {
        if (session === undefined) return { module: module.name, verdict: 'absent', text: '' }
        const refusal = askNow({ name, session, event }, [module])
        if (refusal !== undefined) return { module: module.name, verdict: 'refused', text: textOf(refusal) }
        return { module: module.name, verdict: module.isOff ? 'off' : 'allowed', text: '' }
      }),
    settle,
  }
}
