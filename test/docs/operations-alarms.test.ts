import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from '@jest/globals'
// @ts-expect-error a JavaScript file without types, because serverless.yml cannot load TypeScript
import { access } from '../../infra/cloud/access.js'
// @ts-expect-error a JavaScript file without types, because serverless.yml cannot load TypeScript
import { alarms } from '../../infra/cloud/alarms.js'
// @ts-expect-error a JavaScript file without types, because serverless.yml cannot load TypeScript
import { nodeAlarms } from '../../infra/cloud/realtime/alarms.js'
import { parseEnvironment } from '../../shared/platform/process/environment.ts'
import { createMetricsPage } from '../../tools/generate/metrics-page.ts'
import { readPage, readRows, readSection } from '../support/pages/markdown.ts'

const root = resolve(import.meta.dirname, '../..')
const page = readPage('operations.md')
const alarmsPage = readPage('operations/alarms.md')
const capitalised = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

describe("the operator's guide", () => {
  it('documents every alarm of the template and no other alarm', () => {
    const resources: Record<string, { Type: string }> = { ...alarms.Resources, ...nodeAlarms.Resources }
    const made = Object.keys(resources).filter((name) =>
      /^AWS::(CloudWatch::Alarm|Events::Rule)$/.test(resources[name]?.Type ?? ''),
    )
    const rows = readRows(alarmsPage).map(([name = '']) => name.replaceAll('`', ''))
    const named = rows
      .filter((name) => /^(<Function>)?[A-Z]\w+$/.test(name))
      .flatMap((name) =>
        name.startsWith('<') ? Object.keys(access).map((of) => name.replace('<Function>', capitalised(of))) : [name],
      )
    expect([...named].sort()).toEqual([...made].sort())
  })

  it('names only metrics of ours that a process exports', () => {
    const exported = new Set(createMetricsPage().match(/gatehouse_\w+/g))
    const named = [...new Set(alarmsPage.match(/\bgatehouse_[a-z_]+/g))]
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter((name) => !exported.has(name) && !exported.has(name.replace(/_(bucket|count|sum)$/, '')))).toEqual([])
  })

  it('takes its capacity figures from existing benches', () => {
    const benches = readdirSync(join(root, 'bench'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join(root, 'bench', name), 'utf8'))
      .join('\n')
    const rows = readRows(readPage('operations/capacity.md'))
    expect(rows.length).toBeGreaterThan(10)
    const sources = rows.map((cells) => cells.at(-1) ?? '').filter((source) => source !== 'removed')
    expect(sources.length).toBeGreaterThan(5)
    for (const source of sources) expect(benches).toContain(`'${/^`([a-z-]+)`$/.exec(source)?.[1]}'`)
  })

  it('lists every environment variable that a process reads', () => {
    const read = new Set<string>()
    for (const role of ['all', 'http', 'realtime', 'task'] as const) {
      const watched = new Proxy<Record<string, string>>(
        { REDIS_URL: 'redis://127.0.0.1:6379', STORAGE: 'dynamodb', AWS_REGION: 'eu-central-1' },
        {
          get: (target, key) => {
            read.add(String(key))
            return target[String(key)]
          },
        },
      )
      parseEnvironment(watched, role)
    }
    const section = readSection(page, '## Environment')
    expect([...read].filter((name) => !new RegExp(`\\b${name}\\b`).test(section))).toEqual([])
  })
})
