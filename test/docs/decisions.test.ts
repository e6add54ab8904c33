import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { readPage } from '../support/pages/markdown.ts'

const root = resolve(import.meta.dirname, '../..')
const folder = join(root, 'docs/decisions')
const pages = readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'README.md')
const index = readPage('decisions/README.md')

const filesOf = (top: string): readonly string[] =>
  readdirSync(join(root, top), { recursive: true, encoding: 'utf8' }).map((name) => `${top}/${name.replaceAll('\\', '/')}`)
const tops = ['bench', 'console', 'docs', 'functions', 'infra', 'play', 'realtime', 'resources', 'sdk', 'shared', 'test', 'tools']
const files = new Set(tops.flatMap(filesOf))
const names = new Set([...files].map((path) => path.slice(path.lastIndexOf('/') + 1)))

const date = '20\\d\\d-\\d\\d-\\d\\d'
const statusPattern = new RegExp(`^Status: accepted · ${date}(?: · amended ${date})?(?: · superseded by \\d{4})?$`)

const sourcePages = [
  ...pages.map((name) => `decisions/${name}`),
  ...readdirSync(join(root, 'docs/architecture')).map((name) => `architecture/${name}`),
]

describe('pages on decisions and architecture', () => {
  it.each(sourcePages)('%s names only source files that exist', (name) => {
    const named = [...readPage(name).matchAll(/`([\w./-]+\.(?:[jt]s|proto))`/g)].map(([, path = '']) => path)
    expect(named.filter((path) => !(path.includes('/') ? files : names).has(path))).toEqual([])
  })
})

describe('a decision', () => {
  it.each(pages)('%s begins with its number and a status with its date', (name) => {
    const [title, , status] = readPage(join('decisions', name)).split('\n')
    expect(title).toMatch(new RegExp(`^# ${Number(name.slice(0, 4))}\\. \\S`))
    expect(status).toMatch(statusPattern)
  })

  it.each(pages)('%s fits one screen and has context, decision and consequences', (name) => {
    const text = readPage(join('decisions', name))
    expect([...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)).toEqual(['Context', 'Decision', 'Consequences'])
    expect(text.split(/\s+/).length).toBeLessThan(420)
  })

  it('has a unique number', () => {
    expect(new Set(pages.map((name) => name.slice(0, 4))).size).toBe(pages.length)
  })

  it('is in the index once, with its number', () => {
    const listed = [...index.matchAll(/^- \[(\d+)\. [^\]]+\]\(([^)]+)\): \S.*\.$/gm)].map(([, number, name]) => ({
      number,
      name,
    }))
    expect(listed.map(({ name }) => name).sort()).toEqual([...pages].sort())
    expect(listed.filter(({ number, name }) => Number(number) !== Number(name?.slice(0, 4)))).toEqual([])
  })
})
