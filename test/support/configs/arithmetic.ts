import jsep from 'jsep'

const functions: Readonly<Record<string, (...values: number[]) => number>> = { ceil: Math.ceil, max: Math.max }
const operators: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
}

/** Evaluates a sum with names in it; throws for any other syntax. */
export const calculate = (text: string, names: ReadonlyMap<string, number>): number => {
  const value = (node: jsep.Expression): number => {
    if (node.type === 'Literal' && typeof node.value === 'number') return node.value
    const known = node.type === 'Identifier' ? names.get(String(node.name)) : undefined
    if (known !== undefined) return known
    const { operator, left, right, callee, arguments: given } = node as Record<string, unknown>
    const operation = node.type === 'BinaryExpression' ? operators[String(operator)] : undefined
    if (operation !== undefined) return operation(value(left as jsep.Expression), value(right as jsep.Expression))
    const called = node.type === 'CallExpression' ? functions[String((callee as jsep.Identifier).name)] : undefined
    if (called !== undefined) return called(...(given as jsep.Expression[]).map(value))
    throw new Error(`${text} is not a sum: ${JSON.stringify(node)}`)
  }
  return value(jsep(text))
}
