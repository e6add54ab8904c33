import { describe, expect, it } from '@jest/globals'
// @ts-expect-error a JavaScript file without types, because serverless.yml cannot load TypeScript
import { alarms } from '../../infra/cloud/alarms.js'
// @ts-expect-error a JavaScript file without types, because serverless.yml cannot load TypeScript
import { nodeAlarms } from '../../infra/cloud/realtime/alarms.js'
import { calculate } from '../support/configs/arithmetic.ts'
import { readPage, readRows } from '../support/pages/markdown.ts'

const page = readPage('operations/cost.md')
/** The rows of the table whose header begins with `word`. */
const tableOf = (word: string) => readRows(page.slice(page.indexOf(`| ${word} |`)).split('\n\n')[0] ?? '')
const plain = (cell = ''): string => cell.replaceAll(/`|\*\*/g, '')
const numberOf = (cell = ''): number => Number(plain(cell).replaceAll(',', ''))

const prices = tableOf('Price')
const assumptions = tableOf('Assumption')
const follows = tableOf('Follows')
const costs = tableOf('A month, in USD')

describe.each([
  ['1,000', 2],
  ['100,000', 3],
])('the cost of %s monthly players', (players, column) => {
  const values = new Map<string, number>([['hours', 730]])
  for (const [name, , usd] of prices) values.set(plain(name), numberOf(usd))
  for (const [name, ...cells] of assumptions) values.set(plain(name), numberOf(cells[column - 1]))

  it('is calculated for that number of players, with a price and a source for every item', () => {
    expect(values.get('players')).toBe(numberOf(players))
    expect([...values.values()].every((value) => Number.isFinite(value) && value > 0)).toBe(true)
    expect(prices.every(([, what = '', , source = '']) => what !== '' && source !== '')).toBe(true)
  })

  it('follows line by line from the listed prices and assumptions, and uses all of them', () => {
    const used = new Set<string>()
    const calculateAs = (formula: string, digits: number) => {
      for (const [name] of plain(formula).matchAll(/[A-Za-z]\w*/g)) used.add(name)
      const value = calculate(plain(formula), values)
      return { value, shown: value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits }) }
    }
    const results: string[] = []
    const calculated: string[] = []
    for (const [name, formula = '', ...cells] of follows) {
      const shown = cells[column - 2] ?? ''
      const answer = calculateAs(formula, shown.split('.')[1]?.length ?? 0)
      values.set(plain(name), answer.value)
      results.push(`${plain(name)} ${shown}`)
      calculated.push(`${plain(name)} ${answer.shown}`)
    }
    let cents = 0
    for (const [name = '', formula = '', ...cells] of costs.slice(0, -1)) {
      const { shown } = calculateAs(formula, 2)
      cents += Math.round(100 * numberOf(shown))
      results.push(`${name} ${cells[column - 2]}`)
      calculated.push(`${name} ${shown}`)
    }
    expect(results).toEqual(calculated)
    expect(Math.round(100 * numberOf(costs.at(-1)?.[column]))).toBe(cents)
    const named = [...prices, ...assumptions].map(([name]) => plain(name))
    expect(named.filter((name) => !used.has(name))).toEqual([])
    expect(page).toContain(`${(cents / 100 / numberOf(players)).toFixed(2)} USD`)
  })

  it('counts the alarms of the template', () => {
    const all: { Type: string }[] = [...Object.values(alarms.Resources), ...Object.values(nodeAlarms.Resources)] as {
      Type: string
    }[]
    expect(values.get('alarms')).toBe(all.filter(({ Type }) => Type === 'AWS::CloudWatch::Alarm').length)
  })
})
