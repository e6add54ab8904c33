import { gzipSync } from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import { Validator } from '@seriousme/openapi-schema-validator'
import { allRoutes } from '../../functions/all-routes.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { problems } from '../../shared/kernel/problems/problems.ts'
import { createReadiness, type Probe } from '../../shared/services/readiness.ts'
import { bothDoors } from './doors.ts'

const up: Probe = { name: 'store', neededFor: 'much', probe: async () => undefined, timeoutMs: 1000 }

describe.each(bothDoors)('GET /healthz and /readyz through %s', (_name, open) => {
  it('answer without a credential', async () => {
    const { get } = await open()
    expect(await get('/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } })
    expect(await get('/readyz')).toMatchObject({
      status: 200,
      body: { ready: true, dependencies: [{ name: 'redis', neededFor: 'tokens', ok: true }], warnings: [] },
    })
  })

  it('report faults that do not prevent service, and stay ready', async () => {
    const warnings = ['groups.yaml is broken on disk; the last good one is in force']
    const { get } = await open({ deps: { readiness: createReadiness({ probes: [up], warnings: () => warnings }) } })
    expect(await get('/readyz')).toMatchObject({ status: 200, body: { ready: true, warnings } })
  })

  it('name every dependency, and describe failed ones in public terms', async () => {
    const probes: Probe[] = [
      up,
      {
        name: 'accounts',
        neededFor: 'much',
        probe: () => Promise.reject(new AppError('unavailable', 'accounts-unreadable', 'It does not parse.')),
        timeoutMs: 1000,
      },
      {
        name: 'tokens',
        neededFor: 'much',
        probe: () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.7')),
        timeoutMs: 1000,
      },
      { name: 'silent', neededFor: 'much', probe: () => new Promise(() => undefined), timeoutMs: 10 },
    ]
    const { get } = await open({ deps: { readiness: createReadiness({ probes }) } })
    const answer = await get('/readyz')
    expect(answer).toMatchObject({
      status: 503,
      body: {
        type: '/problems/service-unavailable',
        status: 503,
        ready: false,
        dependencies: [
          { name: 'store', ok: true },
          { name: 'accounts', ok: false, detail: 'It does not parse.' },
          { name: 'tokens', ok: false, detail: 'does not answer' },
          { name: 'silent', ok: false, detail: 'does not answer in time' },
        ],
      },
    })
    expect(answer.headers['content-type']).toBe('application/problem+json')
    expect(answer.headers['retry-after']).toBeDefined()
    expect(answer.text).not.toContain('10.0.0.7')
  })

  it('are alive but not ready while the process shuts down', async () => {
    const readiness = createReadiness({ probes: [up] })
    const { get } = await open({ deps: { readiness } })
    readiness.beginShutdown()
    expect((await get('/healthz')).status).toBe(200)
    expect(await get('/readyz')).toMatchObject({
      status: 503,
      body: {
        dependencies: [
          { name: 'store', ok: true },
          { name: 'process', ok: false },
        ],
      },
    })
  })
})

describe.each(bothDoors)('the API description through %s', (_name, open) => {
  it('is a valid OpenAPI 3.1 document', async () => {
    const { get } = await open()
    const { status, body, headers } = await get('/api/openapi.json')
    expect(status).toBe(200)
    expect(headers['content-type']).toMatch(/^application\/json/)
    expect(body.openapi).toBe('3.1.0')
    expect(await new Validator().validate(body)).toMatchObject({ valid: true })
  })

  it('describes every route with its parameters and permission', async () => {
    const { get } = await open()
    const { body } = await get('/api/openapi.json')
    for (const { path, method, permission } of allRoutes) {
      const operation = body.paths[path.replaceAll(/[:*](\w+)/g, '{$1}')]?.[method]
      expect(operation).toBeDefined()
      expect(operation.security).toEqual(permission === 'none' ? [] : [{ bearer: [] }])
      if (permission !== 'none' && permission !== 'signed-in') expect(operation.description).toContain(permission)
      const inPath = operation.parameters.filter((parameter: { in: string }) => parameter.in === 'path')
      expect(inPath.map(({ name }: { name: string }) => name)).toEqual(
        (path.match(/[:*]\w+/g) ?? []).map((part) => part.slice(1)),
      )
    }
    const ids = Object.values<Record<string, { operationId: string }>>(body.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    )
    expect(new Set(ids).size).toBe(allRoutes.length)
  })

  it('lists the problems implied by a declaration', async () => {
    const { get } = await open()
    const { paths } = (await get('/api/openapi.json')).body
    expect(Object.keys(paths['/api/admin/users'].post.responses)).toEqual(
      expect.arrayContaining(['201', '400', '401', '403', '409', '413', '415', '422', '429', '503']),
    )
    expect(Object.keys(paths['/healthz'].get.responses)).toEqual(['200', '400', '421'])
    for (const path of ['/auth/login', '/auth/renew', '/auth/logout'])
      expect([path, paths[path].post.responses['403'].description]).toEqual([path, expect.stringContaining('account-banned')])
  })

  it('lists every problem with its status and remedy', async () => {
    const { get } = await open()
    const { body } = await get('/api/openapi.json')
    expect(body['x-problems'].map(({ slug }: { slug: string }) => slug).sort()).toEqual(Object.keys(problems).sort())
  })

  it('answers 304 to a matching tag', async () => {
    const { get } = await open()
    const { headers } = await get('/api/openapi.json')
    expect((await get('/api/openapi.json', { 'if-none-match': headers.etag ?? '' })).status).toBe(304)
  })

  it('is a page for people, without inline scripts or other origins', async () => {
    const { get } = await open()
    const { status, headers, text } = await get('/api/docs')
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(text).toContain('<span class="verb post">POST</span> <code>/auth/login</code>')
    expect(text).toContain('<code>admin.users.read</code>')
    expect(gzipSync(text).length).toBeLessThan(120_000)
    expect(text).toContain('id="missing-permission"')
    expect(text).toContain('href="#protocol"')
    expect(text).toContain('/realtime</code>')
    expect(text).not.toMatch(/<script(?! src="docs\/script\.js")|<style|style=|\son\w+=|(?:src|href)="(?:https?:)?\/\//)
    const style = await get('/api/docs/style.css')
    expect(style).toMatchObject({ status: 200, headers: { 'content-type': 'text/css; charset=utf-8' } })
    const script = await get('/api/docs/script.js')
    expect(script).toMatchObject({ status: 200, headers: { 'content-type': 'text/javascript; charset=utf-8' } })
  })

  it('has a shell command for each route', async () => {
    const { get } = await open()
    const { text } = await get('/api/docs')
    const { paths } = (await get('/api/openapi.json')).body
    const operations = Object.values<object>(paths).flatMap(Object.keys)
    expect(text.match(/<pre>curl /g)).toHaveLength(operations.length)
    expect(text).toContain(
      `<pre>curl -X POST &quot;http://127.0.0.1:3000/auth/login&quot; \\
  -H &#39;Content-Type: application/json&#39; \\
  -d &#39;{&quot;email&quot;:&quot;ada@example.com&quot;}&#39;</pre>`,
    )
    expect(text).toContain('/api/admin/instances/$ID/bounds')
    expect(text).toContain('Authorization: Bearer $TOKEN')
  })

  it('is the target of the bare address and of problem types', async () => {
    const { get } = await open()
    expect(await get('/')).toMatchObject({ status: 302, headers: { location: 'api/docs' }, text: '' })
    expect(await get('/problems/stale')).toMatchObject({ status: 302, headers: { location: '../api/docs#stale' } })
    expect((await get('/problems/toString')).status).toBe(404)
  })
})
