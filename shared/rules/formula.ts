import jsep from 'jsep'

/** The names in a formula: the level, and the class's bonus to each attribute. */
const formulaNames = ['level', 'str', 'dex', 'int', 'wis', 'con', 'cha'] as const
type FormulaName = (typeof formulaNames)[number]
type FormulaValues = Readonly<Record<FormulaName, number>>

const formulaOperators = ['+', '-', '*', '/'] as const
type FormulaOperator = (typeof formulaOperators)[number]

/** The functions with their number of arguments. */
const formulaFunctions = {
  min: { operandsMin: 2, operandsMax: Number.POSITIVE_INFINITY, words: 'two values or more' },
  max: { operandsMin: 2, operandsMax: Number.POSITIVE_INFINITY, words: 'two values or more' },
  floor: { operandsMin: 1, operandsMax: 1, words: 'one value' },
  ceil: { operandsMin: 1, operandsMax: 1, words: 'one value' },
  round: { operandsMin: 1, operandsMax: 1, words: 'one value' },
} as const
type FormulaFunction = keyof typeof formulaFunctions

/** A checked formula: arithmetic over `formulaNames`. */
export type Formula =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'name'; readonly name: FormulaName }
  | { readonly kind: 'negation'; readonly operand: Formula }
  | { readonly kind: 'operation'; readonly operator: FormulaOperator; readonly left: Formula; readonly right: Formula }
  | { readonly kind: 'call'; readonly name: FormulaFunction; readonly operands: readonly Formula[] }

/** A division by zero gives NaN, because `min` and `max` would hide an infinite value. */
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

/** The value of a formula, not rounded. NaN for a division by zero, infinite on overflow. */
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

type ParsedFormula =
  | { readonly ok: true; readonly formula: Formula }
  | { readonly ok: false; readonly messages: readonly string[] }

/** Maximum length in characters, so that the nesting fits the stack. */
const lengthMax = 200

const isName = (text: unknown): text is FormulaName => formulaNames.some((name) => name === text)
const isOperator = (text: unknown): text is FormulaOperator => formulaOperators.some((operator) => operator === text)
const isFunction = (text: string): text is FormulaFunction => Object.hasOwn(formulaFunctions, text)
const isExpression = (value: unknown): value is jsep.Expression =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

const isZero = (formula: Formula): boolean =>
  formula.kind === 'negation' ? isZero(formula.operand) : formula.kind === 'number' && formula.value === 0

/** Placeholder for an unreadable part, so that faults of the other parts are found too. */
const nothing: Formula = { kind: 'number', value: 1 }

/** Converts the library's tree to ours and adds faults to `messages`. */
const createReader = (messages: string[]) => {
  let commas = 0

  const refuse = (message: string): Formula => {
    messages.push(message)
    return nothing
  }

  const readUnary = (operator: unknown, argument: unknown): Formula => {
    if (operator === '-') return { kind: 'negation', operand: read(argument) }
    return operator === '+' ? read(argument) : refuse(`"${String(operator)}" is not an operator here: use + - * /`)
  }

  const readOperation = ({ operator, left, right }: jsep.Expression): Formula => {
    if (!isOperator(operator)) return refuse(`"${String(operator)}" is not an operator here: use + - * /`)
    const divided = { kind: 'operation', operator, left: read(left), right: read(right) } as const
    return operator === '/' && isZero(divided.right) ? refuse('divides by zero') : divided
  }

  const readCall = ({ callee, arguments: given, optional }: jsep.Expression): Formula => {
    const name = isExpression(callee) && callee.type === 'Identifier' ? String(callee.name) : ''
    const operands = Array.isArray(given) ? given.map(read) : []
    commas += Math.max(0, operands.length - 1)
    if (!isFunction(name) || optional === true)
      return refuse(
        `${name === '' ? 'that' : `"${name}"`} is not a function here: there are ${Object.keys(formulaFunctions).join(', ')}`,
      )
    const { operandsMin, operandsMax, words } = formulaFunctions[name]
    if (operands.length < operandsMin || operands.length > operandsMax) return refuse(`"${name}" takes ${words}`)
    return { kind: 'call', name, operands }
  }

  const read = (node: unknown): Formula => {
    if (!isExpression(node)) return refuse('something is missing')
    if (node.type === 'Literal' && typeof node.value === 'number')
      return Number.isFinite(node.value)
        ? { kind: 'number', value: node.value }
        : refuse(`${String(node.raw)} is too large a number`)
    if (node.type === 'Identifier')
      return isName(node.name)
        ? { kind: 'name', name: node.name }
        : refuse(`"${String(node.name)}" is not a name here: there are ${formulaNames.join(', ')}`)
    if (node.type === 'UnaryExpression') return readUnary(node.operator, node.argument)
    if (node.type === 'BinaryExpression') return readOperation(node)
    if (node.type === 'CallExpression') return readCall(node)
    return refuse('is not one piece of arithmetic: numbers, names, + - * /, parentheses and functions')
  }

  return { read, countCommas: () => commas }
}

const parseText = (text: string): jsep.Expression | string => {
  try {
    return jsep(text)
  } catch (error) {
    return error instanceof Error ? error.message : 'cannot be read'
  }
}

/** Parses a formula of `classes.yaml`, at most 200 characters, or returns all its faults. */
export const parseFormula = (text: string): ParsedFormula => {
  if (text.length > lengthMax) return { ok: false, messages: [`is longer than ${lengthMax} characters`] }
  const tree = parseText(text)
  if (typeof tree === 'string') return { ok: false, messages: [`is not a formula: ${tree}`] }
  const messages: string[] = []
  const { read, countCommas } = createReader(messages)
  const formula = read(tree)
  // The library accepts a space for a comma between arguments, which hides a forgotten operator.
  if (messages.length === 0 && text.split(',').length - 1 !== countCommas())
    messages.push('a comma or an operator is missing in it')
  return messages.length > 0 ? { ok: false, messages: [...new Set(messages)] } : { ok: true, formula }
}
