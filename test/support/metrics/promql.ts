import type { SyntaxNode } from '@lezer/common'
import { parser } from '@prometheus-io/lezer-promql'

/** The metrics and labels that an expression uses. */
export type PromqlUse = {
  /** Each metric with the labels in its selector. */
  readonly selected: readonly { readonly metric: string; readonly labels: readonly string[] }[]
  /** Labels in a grouping, and the metrics below it. */
  readonly grouped: readonly { readonly labels: readonly string[]; readonly metrics: readonly string[] }[]
}

/** Replaces the variables of Grafana, which Prometheus never sees. */
const fillIn = (expression: string): string =>
  expression.replaceAll(/\$__(rate_interval|interval|range)\b/g, '5m').replaceAll(/\$\{?[a-z]+\}?/g, 'anything')

const list = (node: SyntaxNode, name: string): SyntaxNode[] => {
  const found: SyntaxNode[] = []
  node.cursor().iterate((at) => {
    if (at.from < node.from || at.to > node.to) return false
    if (at.name === name) found.push(at.node)
    return true
  })
  return found
}

/** Parses an expression with Prometheus's own grammar; throws if it is invalid. */
export const readPromql = (expression: string): PromqlUse => {
  const text = fillIn(expression)
  const tree = parser.parse(text).topNode
  const textOf = ({ from, to }: SyntaxNode): string => text.slice(from, to)
  const labelsIn = (node: SyntaxNode): string[] => list(node, 'LabelName').map(textOf)
  const faults = list(tree, '⚠')
  if (faults[0] !== undefined) throw new Error(`No PromQL, from character ${faults[0].from}: ${text}`)
  const metricOf = (selector: SyntaxNode): string => list(selector, 'Identifier').map(textOf)[0] ?? ''
  return {
    selected: list(tree, 'VectorSelector').map((selector) => ({ metric: metricOf(selector), labels: labelsIn(selector) })),
    grouped: list(tree, 'AggregateExpr').flatMap((aggregate) => {
      const labels = aggregate.getChildren('AggregateModifier').flatMap(labelsIn)
      return labels.length === 0 ? [] : [{ labels, metrics: list(aggregate, 'VectorSelector').map(metricOf) }]
    }),
  }
}
