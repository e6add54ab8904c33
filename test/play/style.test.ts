import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'

const style = readFileSync(join(import.meta.dirname, '../../play/style.css'), 'utf8')

/** The declarations of each selector, alone or in a list; the last rule wins. */
const rules = new Map<string, Map<string, string>>()
for (const [, selectors = '', body = ''] of style.replaceAll(/\/\*.*?\*\//gs, '').matchAll(/([^{}]+)\{([^{}]*)\}/g))
  for (const selector of selectors.split(',').map((one) => one.trim())) {
    const rule = rules.get(selector) ?? new Map<string, string>()
    for (const [, name = '', value = ''] of body.matchAll(/([a-z-]+):\s*([^;]+);/g)) rule.set(name, value)
    rules.set(selector, rule)
  }

it('prevents text selection by touch in Safari, except in inputs and the chat', () => {
  const selection = (selector: string) => {
    return ['user-select', '-webkit-user-select', '-webkit-touch-callout'].map((name) => rules.get(selector)?.get(name))
  }
  expect(selection('.game')).toEqual(['none', 'none', 'none'])
  for (const one of ['.game input', '.log.open']) expect(selection(one)).toEqual(['text', 'text', 'default'])
})

it('prevents a pull down from reloading the page, wherever it scrolls', () => {
  const scrolls = (rule: ReadonlyMap<string, string>) => /auto/.test(`${rule.get('overflow')} ${rule.get('overflow-y')}`)
  const scrolling = [...rules].filter(([, rule]) => scrolls(rule))
  // It is inside the menu, which continues to scroll at its end.
  const open = scrolling.filter(([selector, rule]) => selector !== '.people.inline' && !rule.has('overscroll-behavior'))
  expect([scrolling.length > 5, open.map(([selector]) => selector)]).toEqual([true, []])
  for (const page of ['html', 'body']) expect(rules.get(page)?.get('overscroll-behavior')).toBe('none')
})
