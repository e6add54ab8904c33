/** What a formula may name: the level, and the class's bonus to each attribute. */
export const formulaNames = ['level', 'str', 'dex', 'int', 'wis', 'con', 'cha'] as const
export type FormulaName = (typeof formulaNames)[number]
export type FormulaValues = Readonly<Record<FormulaName, number>>

export const formulaOperators = ['+', '-', '*', '/'] as const
export type FormulaOperator = (typeof formulaOperators)[number]

/** The functions with the number of values that each takes. */
export const formulaFunctions = {
  min: { operandsMin: 2, operandsMax: Number.POSITIVE_INFINITY, words: 'two values or more' },
  max: { operandsMin: 2, operandsMax: Number.POSITIVE_INFINITY, words: 'two values or more' },
  floor: { operandsMin: 1, operandsMax: 1, words: 'one value' },
  ceil: { operandsMin: 1, operandsMax: 1, words: 'one value' },
  round: { operandsMin: 1, operandsMax: 1, words: 'one value' },
} as const
export type FormulaFunction = keyof typeof formulaFunctions

/** A formula that was checked: arithmetic over `formulaNames` and nothing else. */
export type Formula =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'name'; readonly name: FormulaName }
  | { readonly kind: 'negation'; readonly operand: Formula }
  | { readonly kind: 'operation'; readonly operator: FormulaOperator; readonly left: Formula; readonly right: Formula }
  | { readonly kind: 'call'; readonly name: FormulaFunction; readonly operands: readonly Formula[] }
