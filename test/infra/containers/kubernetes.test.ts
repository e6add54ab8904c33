import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { findInstruction, parseStages, projectRoot, readDockerfile } from '../../support/containers/dockerfile.ts'
import { getObject, type KubernetesObject, readObjects } from '../../support/containers/kubernetes.ts'
import { checkBySchema, checkByTypes } from '../../support/containers/kubernetes-schemas.ts'

const objects = readObjects()
/** Objects of Kubernetes itself. Those of Agones are in fleet.test.ts. */
const kubernetesObjects = objects.map(({ value }) => value).filter(({ apiVersion }) => !apiVersion.includes('agones.dev'))
/** Workloads by name, with their pod template. */
const workloads = objects.flatMap(({ file, value }): [string, KubernetesObject][] => {
  if (value.kind === 'Deployment') return [[`${value.metadata.name} of ${file}`, value.spec.template]]
  return value.kind === 'Fleet' ? [[`${value.metadata.name} of ${file}`, value.spec.template.spec.template]] : []
})
const ours = workloads.filter(([name]) => !name.includes('redis'))
const halfOf = (name: string): string => (name.includes('http') ? 'http' : 'realtime')
const imageOf = (half: string) => parseStages(readDockerfile(half)).at(-1)
const variableOf = (container: KubernetesObject, name: string): string | undefined =>
  container.env?.find((variable: KubernetesObject) => variable.name === name)?.value
/** The hard limit in which a process ends by itself: shared/platform/process/shutdown.ts. */
const hardLimitSeconds = 15

describe('the files of infra/kubernetes', () => {
  it.each(kubernetesObjects.map((object) => [object.kind, object.metadata.name, object]))(
    'conform in %s %s to the schema',
    async (...row) => {
      await checkBySchema(row[2])
    },
  )

  it('use only fields that Kubernetes knows, because it silently drops others', async () => {
    expect(kubernetesObjects.length).toBeGreaterThan(10)
    expect(await checkByTypes(kubernetesObjects)).toBe('')
  })

  it('are checked by schemas and types that report mistakes', async () => {
    const http = getObject('Deployment', 'gatehouse-http')
    const broken = { ...http, spec: { ...http.spec, replicas: 'two' } }
    await expect(checkBySchema(broken)).rejects.toThrow(/replicas/)
    expect(await checkByTypes([{ ...http, spec: { ...http.spec, minimumReadySeconds: 1 } }])).toMatch(/minimumReadySeconds/)
  })

  it('contain no secret: secrets are referenced, and optional if the server runs without them', () => {
    expect(kubernetesObjects.map(({ kind }) => kind)).not.toContain('Secret')
    for (const [, { spec }] of ours)
      expect(spec.containers[0].envFrom).toContainEqual({ secretRef: { name: 'gatehouse-secrets', optional: true } })
    expect(JSON.stringify(objects)).not.toMatch(/AKIA|AWS_|"[A-Z_]*(PASSWORD|SECRET|TOKEN|_KEY)[A-Z_]*"/)
  })
})

describe.each(workloads)('the pods of %s', (_name, { spec }) => {
  it('satisfy the profile "restricted", and have a read-only root file system', () => {
    for (const container of spec.containers) {
      const context = { ...spec.securityContext, ...container.securityContext }
      expect(context).toMatchObject({
        runAsNonRoot: true,
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
        seccompProfile: { type: 'RuntimeDefault' },
      })
      expect(context.runAsUser).toBeGreaterThan(0)
    }
  })

  it('declare their resources and have readiness probes', () => {
    for (const { resources, readinessProbe } of spec.containers) {
      expect(resources).toMatchObject({
        requests: { cpu: expect.any(String), memory: expect.any(String) },
        limits: { memory: expect.any(String) },
      })
      expect(readinessProbe).toBeDefined()
    }
  })
})

describe.each(ours)('the pods of %s', (name, { spec }) => {
  const container = spec.containers[0]
  const half = halfOf(name)

  it('run the image of their half in this version, as its user, on its port', () => {
    const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'))
    expect(container.image).toBe(`gatehouse-${half}:${version}`)
    const { runAsUser, runAsGroup } = { ...spec.securityContext, ...container.securityContext }
    expect(`${runAsUser}:${runAsGroup}`).toBe(findInstruction(imageOf(half), 'USER')?.getArgumentsContent())
    const ports = container.ports.map(({ containerPort }: KubernetesObject) => String(containerPort))
    expect(ports).toContain(findInstruction(imageOf(half), 'EXPOSE')?.getArgumentsContent())
  })

  it('have probes at existing addresses and ports', () => {
    const probes = [container.startupProbe, container.livenessProbe, container.readinessProbe].filter(
      (probe) => probe !== undefined,
    )
    const ports = container.ports.map((port: KubernetesObject) => port.name)
    for (const { httpGet } of probes) {
      expect(ports).toContain(httpGet.port)
      expect(httpGet.path).toBe(httpGet === container.readinessProbe.httpGet ? '/readyz' : '/healthz')
    }
  })

  it('set only variables that Gatehouse reads', () => {
    const read = readFileSync(join(projectRoot, 'shared/platform/process/environment-variables.ts'), 'utf8')
    for (const { name: variable } of container.env.filter(({ name: it }: KubernetesObject) => it !== 'POD_IP'))
      expect(read).toContain(`'${variable}'`)
  })

  it('are spread only over machines that accept pods, so that updates do not block', () => {
    for (const constraint of spec.topologySpreadConstraints ?? []) expect(constraint.nodeTaintsPolicy).toBe('Honor')
  })

  it('have enough time to stop, and receive no new connections while they stop', () => {
    const preStopSeconds = container.lifecycle?.preStop.sleep.seconds ?? 0
    expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(preStopSeconds + hardLimitSeconds)
    expect(preStopSeconds * 1000 + Number(variableOf(container, 'SHUTDOWN_DELAY_MS') ?? 0)).toBeGreaterThanOrEqual(3000)
    expect(Number(variableOf(container, 'DRAIN_LIMIT_MS') ?? 0)).toBeLessThan(hardLimitSeconds * 1000)
  })
})

describe('the real-time half', () => {
  const { spec } = getObject('Deployment', 'gatehouse-realtime')
  const container = spec.template.spec.containers[0]

  it('has one pod more than worlds, as a standby', () => {
    expect(variableOf(container, 'WORLD_STANDBY')).toBe('true')
    expect(spec.replicas).toBe((variableOf(container, 'GAME_WORLD_NAME') ?? '').split(',').length + 1)
  })

  it('has a new pod ready before an old one stops', () => {
    expect(spec.strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 })
  })

  it('has a folder of its own for its locks', () => {
    const { name } = container.volumeMounts.find(({ mountPath }: KubernetesObject) => mountPath === '/data')
    expect(spec.template.spec.volumes).toContainEqual({ name, emptyDir: expect.anything() })
    expect(spec.template.spec.securityContext.fsGroup).toBe(spec.template.spec.securityContext.runAsGroup)
  })

  it('is reached by other processes at the address of the pod', () => {
    const names = container.env.map(({ name }: KubernetesObject) => name)
    expect(variableOf(container, 'NODE_INTERNAL_URL')).toBe(`http://$(POD_IP):${container.ports[0].containerPort}`)
    // Kubernetes substitutes only variables that are defined earlier in the list.
    expect(names.indexOf('POD_IP')).toBeLessThan(names.indexOf('NODE_INTERNAL_URL'))
  })
})

describe('references between objects', () => {
  const labels = workloads.map(([, { metadata }]) => metadata.labels)
  const selects = (wanted: Record<string, string>) =>
    labels.filter((of) => Object.entries(wanted).every(([key, value]) => of[key] === value))
  const containersOf = (wanted: Record<string, string>) =>
    workloads.filter(([, { metadata }]) => selects(wanted).includes(metadata.labels)).flatMap(([, { spec }]) => spec.containers)

  it.each(kubernetesObjects.filter(({ kind }) => kind === 'Service').map((object) => [object.metadata.name, object]))(
    'Service %s selects pods and their ports',
    (_service, { spec }) => {
      expect(containersOf(spec.selector).length).toBeGreaterThan(0)
      for (const { targetPort } of spec.ports)
        for (const { ports } of containersOf(spec.selector))
          expect(ports.map(({ name }: KubernetesObject) => name)).toContain(targetPort)
    },
  )

  it('the ingress selects services and ports, and keeps idle WebSockets open', () => {
    const { spec, metadata } = getObject('Ingress', 'gatehouse')
    for (const { backend } of spec.rules[0].http.paths) {
      const { spec: service } = getObject('Service', backend.service.name)
      expect(service.ports.map(({ name }: KubernetesObject) => name)).toContain(backend.service.port.name)
    }
    expect(spec.tls[0].hosts).toEqual([spec.rules[0].host])
    for (const time of ['read', 'send'])
      expect(Number(metadata.annotations[`nginx.ingress.kubernetes.io/proxy-${time}-timeout`])).toBeGreaterThan(600)
  })

  it('budgets, the autoscaler and the policy select existing objects', () => {
    for (const { kind, spec } of kubernetesObjects) {
      if (kind === 'PodDisruptionBudget')
        expect([selects(spec.selector.matchLabels).length > 0, spec.maxUnavailable]).toEqual([true, 1])
      if (kind === 'NetworkPolicy') expect(selects(spec.podSelector.matchLabels)).toHaveLength(1)
      if (kind === 'HorizontalPodAutoscaler')
        expect(getObject('Deployment', spec.scaleTargetRef.name).spec.replicas).toBeUndefined()
      if (kind === 'Deployment') expect(selects(spec.selector.matchLabels)).toContain(spec.template.metadata.labels)
    }
  })
})
