import { useSignal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'
import type { SignIn } from '../../sdk/client.ts'
import { useEscape, useFocus } from '../input/window-keys.ts'
import type { Refusal } from '../state/hud.ts'
import { readWhy, type Why } from '../state/why.ts'
import { words } from '../words.ts'
import { Isolated } from './isolated.tsx'

/** The rule, unless a module refuses what the rule allows. */
const describeRule = ({ checks, rule }: Why): string => {
  const decisive = checks.find(({ ok }) => !ok)
  if (decisive?.check === 'module') return words.why.module(decisive.detail)
  if (rule === undefined) return words.why.noRule
  const groups = [...rule.through, rule.group].filter((name) => name !== '')
  return words.why.rule(rule.rule, rule.source, groups)
}

const Answer = ({ of: why }: { of: Why }) => (
  <>
    <ul>
      {why.checks.map(({ check, ok, detail }) => (
        <li key={`${check} ${detail}`} class={ok ? 'passed' : 'failed'}>
          <b>{words.why.checks[check]}</b> <bdi>{detail}</bdi>
        </li>
      ))}
    </ul>
    <p>
      <bdi>{describeRule(why)}</bdi>
    </p>
  </>
)

/** All checks of a refused action. */
export const WhyWindow = ({ me, refusal, onDone }: { me: SignIn; refusal: Refusal; onDone: () => void }) => {
  const answer = useSignal<Why | undefined>(undefined)
  const problem = useSignal('')
  useLayoutEffect(() => {
    readWhy(me, refusal.explain).then(
      (read) => {
        answer.value = read
      },
      (error: unknown) => {
        problem.value = words.describe(error)
      },
    )
  }, [me, refusal, answer, problem])
  useEscape(onDone)
  const back = useFocus()
  return (
    <div class="shade">
      <div class="window why" role="dialog" aria-modal="true" aria-label={words.why.title}>
        <h2>
          <Isolated text={refusal.text} />
        </h2>
        {answer.value === undefined && problem.value === '' ? <p class="pulse">{words.signIn.waiting}</p> : null}
        {answer.value === undefined ? null : <Answer of={answer.value} />}
        <p class="problem" role="alert">
          {problem.value}
        </p>
        <p class="buttons">
          <button ref={back} type="button" class="main" onClick={onDone}>
            {words.why.back}
          </button>
        </p>
      </div>
    </div>
  )
}
