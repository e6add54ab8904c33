import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'

const style = readFileSync(join(import.meta.dirname, '../../play/style.css'), 'utf8')

/** What is declared for one selector, wherever it stands alone or in a list; of the last rule where several say it. */
const readRule = (selector: string): ReadonlyMap<string, string> => {
  const rules = [...style.replaceAll(/\/\*.*?\*\//gs, '').matchAll(/([^{}]+)\{([^{}]*)\}/g)]
  const own = rules.filter(([, selectors = '']) => selectors.split(',').some((one) => one.trim() === selector))
  const declared = own.flatMap(([, , body = '']) => [...body.matchAll(/([a-z-]+):\s*([^;]+);/g)])
  return new Map(declared.map(([, name = '', value = '']) => [name, value]))
}

it('keeps Safari from selecting what a finger holds, and lets it select what one types and reads', () => {
  const selection = (selector: string) => {
    const rule = readRule(selector)
    return ['user-select', '-webkit-user-select', '-webkit-touch-callout'].map((name) => rule.get(name))
  }
  expect(selection('.game')).toEqual(['none', 'none', 'none'])
  for (const one of ['.game input', '.log.open']) expect(selection(one)).toEqual(['text', 'text', 'default'])
})
