import jsep from 'jsep'
import {
  type Formula,
  type FormulaFunction,
  type FormulaName,
  type FormulaOperator,
  formulaFunctions,
  formulaNames,
  formulaOperators,
} from './formula.ts'

export type ParsedFormula =
  | { readonly ok: true; readonly formula: Formula }
  | { readonly ok: false; readonly messages: readonly string[] }

/** The longest text that is read, in characters, so that its nesting fits the stack. */
const lengthMax = 200

const isName = (text: unknown): text is FormulaName => formulaNames.some((name) => name === text)
const isOperator = (text: unknown): text is FormulaOperator => formulaOperators.some((operator) => operator === text)
const isFunction = (text: string): text is FormulaFunction => Object.hasOwn(formulaFunctions, text)
const isExpression = (value: unknown): value is jsep.Expression =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

const isZero = (formula: Formula): boolean =>
  formula.kind === 'negation' ? isZero(formula.operand) : formula.kind === 'number' && formula.value === 0

/** Stands for a part that cannot be read, so that the faults of the others are found too. */
const nothing: Formula = { kind: 'number', value: 1 }

/** Turns the library's tree into ours, node by node; what is not arithmetic goes to `messages`. */
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

/** Reads a formula of `classes.yaml`, at most 200 characters, or says everything that is wrong with it. */
export const parseFormula = (text: string): ParsedFormula => {
  if (text.length > lengthMax) return { ok: false, messages: [`is longer than ${lengthMax} characters`] }
  const tree = parseText(text)
  if (typeof tree === 'string') return { ok: false, messages: [`is not a formula: ${tree}`] }
  const messages: string[] = []
  const { read, countCommas } = createReader(messages)
  const formula = read(tree)
  // The library takes a space between the values of a call for a comma, which hides a forgotten operator.
  if (messages.length === 0 && text.split(',').length - 1 !== countCommas())
    messages.push('a comma or an operator is missing in it')
  return messages.length > 0 ? { ok: false, messages: [...new Set(messages)] } : { ok: true, formula }
}
