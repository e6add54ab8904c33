import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

type Target = {
  readonly refId: string
  readonly expr: string
  readonly legendFormat: string
  readonly datasource: { readonly uid: string }
}
export type Panel = {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly datasource?: { readonly type: string; readonly uid: string }
  readonly targets?: readonly Target[]
}
type Variable = { readonly name: string; readonly type: string; readonly query: string | { readonly query: string } }

export type Dashboard = {
  readonly id: null
  readonly uid: string
  readonly title: string
  readonly schemaVersion: number
  readonly templating: { readonly list: readonly Variable[] }
  readonly panels: readonly Panel[]
}

export const readDashboard = (): Dashboard =>
  JSON.parse(readFileSync(fileURLToPath(new URL('../../../infra/grafana/gatehouse.json', import.meta.url)), 'utf8'))

/** Every expression with the labels in its legend, and its position. */
export const listExpressions = ({ panels, templating }: Dashboard) => [
  ...panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, legendFormat }) => ({
      where: title,
      expression: expr,
      legend: [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label),
    })),
  ),
  ...templating.list.flatMap(({ name, query }) => {
    const [, expression, label] = /^label_values\((.+), *(\w+)\)$/.exec(typeof query === 'string' ? '' : query.query) ?? []
    return expression === undefined || label === undefined ? [] : [{ where: `variable ${name}`, expression, legend: [label] }]
  }),
]
