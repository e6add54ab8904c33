// Formulas and dice of the configs, by the server's own code. Pages load them apart from the rest.

export { type Dice, parseDice, rollDice } from '../shared/rules/dice.ts'
export { evaluateFormula, type Formula, parseFormula } from '../shared/rules/formula.ts'
