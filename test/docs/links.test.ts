import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, it } from '@jest/globals'

const root = resolve(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8').replaceAll('\r\n', '\n')
const pages = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  'data/README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`),
]

/** Text without fenced blocks and code spans, where brackets are not links. */
const prose = (text: string): string =>
  text.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, (span) => span.replaceAll(/[[\]()]/g, '_'))

/** The anchors that GitHub generates for the headings of a page. */
const anchorsOf = (text: string): ReadonlySet<string> =>
  new Set(
    [...text.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replaceAll(' ', '-'),
    ),
  )

const brokenLinks = (page: string): readonly string[] =>
  [...prose(read(page)).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => {
      const [file = '', anchor] = target.split('#')
      const path = file === '' ? page : join(dirname(page), file)
      if (!existsSync(join(root, path))) return true
      return (
        anchor !== undefined && statSync(join(root, path)).isFile() && path.endsWith('.md') && !anchorsOf(read(path)).has(anchor)
      )
    })

describe('the documentation', () => {
  it.each(pages)('%s links only to files and headings that exist', (page) => {
    expect(brokenLinks(page)).toEqual([])
  })

  it.each(['README.md', 'CONTRIBUTING.md', 'docs/glossary.md'])('%s names only paths that exist', (page) => {
    const paths = [
      ...read(page).matchAll(
        /`((?:bench|console|data|docs|functions|infra|play|realtime|resources|sdk|shared|test|tools|\.ci)\/[\w./-]*)`/g,
      ),
    ]
      .map(([, path = '']) => path)
      .filter((path) => path !== '.ci/run' && (!path.startsWith('data/') || path === 'data/README.md'))
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })

  it('exists when a source file refers to it', () => {
    const sources = [
      'bench',
      'console',
      'functions',
      'infra',
      'play',
      'realtime',
      'resources',
      'sdk',
      'shared',
      'test',
      'tools',
    ].flatMap((top) =>
      readdirSync(join(root, top), { recursive: true, encoding: 'utf8' })
        .map((name) => `${top}/${name.replaceAll('\\', '/')}`)
        .filter((path) => /\.(?:ts|tsx|js|cjs|proto|ya?ml)$|Dockerfile/.test(path) && !path.includes('node_modules/')),
    )
    const named = sources.flatMap((path) => [...read(path).matchAll(/\bdocs\/[\w/-]+\.md\b/g)].map(([page]) => ({ path, page })))
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter(({ page }) => !existsSync(join(root, page)))).toEqual([])
  })
})
