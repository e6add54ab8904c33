import { type Static, Type } from '@sinclair/typebox'
import type { AccessCheck, Explanation } from './explanation.ts'

/**
 * What one module says about an action.
 * - allowed: it has no objection
 * - refused: with the text for the player
 * - off: it is switched off, and its `whenOff` allows the action
 * - absent: it was not asked, because the player is not in the world
 */
export const ModuleAdvice = Type.Object({
  module: Type.String(),
  verdict: Type.Union([Type.Literal('allowed'), Type.Literal('refused'), Type.Literal('off'), Type.Literal('absent')]),
  text: Type.String(),
})
export type ModuleAdvice = Static<typeof ModuleAdvice>

const describe = ({ verdict, text }: ModuleAdvice, displayName: string): string => {
  if (verdict === 'refused') return text
  if (verdict === 'off') return 'It is switched off, so it allows everything.'
  return verdict === 'absent' ? `It was not asked, because ${displayName} is not in the world.` : 'It allows this.'
}

const checkModules = (advice: readonly ModuleAdvice[] | undefined, displayName: string): readonly AccessCheck[] =>
  advice === undefined
    ? [{ check: 'module', ok: true, detail: 'The modules were not asked, because no node of the world answered.' }]
    : advice.map((one) => ({
        check: 'module',
        ok: one.verdict !== 'refused',
        detail: `${one.module}: ${describe(one, displayName)}`,
      }))

/** Adds what the modules of the node say. `advice` is undefined if the node did not answer. */
export const addModuleChecks = (
  explanation: Explanation,
  advice: readonly ModuleAdvice[] | undefined,
  displayName: string,
): Explanation => {
  const checks = checkModules(advice, displayName)
  const isUnasked = advice === undefined || advice.some(({ verdict }) => verdict === 'absent')
  return {
    ...explanation,
    allowed: explanation.allowed && checks.every(({ ok }) => ok),
    checks: [...explanation.checks, ...checks],
    ...(isUnasked && { modulesNotAsked: true }),
  }
}

/** One sentence: whether the account may do it. Names the module if a module decides, and says if modules were not asked. */
export const describeVerdict = ({ allowed, checks, modulesNotAsked }: Explanation, who: string, what: string): string => {
  const decisive = checks.find(({ ok }) => !ok)
  if (allowed) return `${who} may use ${what}${modulesNotAsked ? ', unless a module refuses it' : ''}.`
  const verdict = `${who} may not use ${what}.`
  return decisive?.check === 'module' ? `${verdict} Denied by module ${decisive.detail}` : verdict
}
