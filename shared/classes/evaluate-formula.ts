import type { Formula, FormulaFunction, FormulaOperator, FormulaValues } from './formula.ts'

/** A division by zero has no value, so that `min` and `max` cannot hide it as they would an infinite one. */
const operate: Readonly<Record<FormulaOperator, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => (right === 0 ? Number.NaN : left / right),
}

const call: Readonly<Record<FormulaFunction, (...operands: number[]) => number>> = {
  min: Math.min,
  max: Math.max,
  floor: Math.floor,
  ceil: Math.ceil,
  round: Math.round,
}

/** What a formula comes to, not rounded; NaN where it divides by zero, infinite where it grows past what a number holds. */
export const evaluateFormula = (formula: Formula, values: FormulaValues): number => {
  switch (formula.kind) {
    case 'number':
      return formula.value
    case 'name':
      return values[formula.name]
    case 'negation':
      return -evaluateFormula(formula.operand, values)
    case 'operation':
      return operate[formula.operator](evaluateFormula(formula.left, values), evaluateFormula(formula.right, values))
    case 'call':
      return call[formula.name](...formula.operands.map((operand) => evaluateFormula(operand, values)))
  }
}
