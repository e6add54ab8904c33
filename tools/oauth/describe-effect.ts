import type { Rehearsed } from './rehearse-sign-in.ts'

const listOf = (names: readonly string[]): string => names.join(', ')

/** The effect of a sign-in on an account's groups, in words; undefined without a change. */
export const describeEffect = ({ before, after, refusal }: Rehearsed): string | undefined => {
  const had = before?.groups ?? []
  const has = after?.groups ?? []
  const gains = has.filter((name) => !had.includes(name))
  const loses = had.filter((name) => !has.includes(name))
  const effects = [
    ...(before === undefined && refusal === undefined ? [`is new, in ${listOf(has) || 'no group'}`] : []),
    ...(before !== undefined && gains.length > 0 ? [`gains ${listOf(gains)}`] : []),
    ...(loses.length > 0 ? [`loses ${listOf(loses)}`] : []),
    ...(before !== undefined && after !== undefined && before.subject === undefined && refusal === undefined
      ? ['is joined by its verified email']
      : []),
    ...(refusal === undefined ? [] : [`cannot sign in: ${refusal}`]),
  ]
  return effects.length === 0 ? undefined : effects.join('; ')
}
