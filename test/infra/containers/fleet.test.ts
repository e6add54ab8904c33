import { describe, expect, it } from '@jest/globals'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { getObject, type KubernetesObject } from '../../support/containers/kubernetes.ts'
import { checkBySchema, checkByTypes } from '../../support/containers/kubernetes-schemas.ts'

const only = { additionalProperties: false }
const Names = Type.Record(Type.String(), Type.String())
const Metadata = Type.Object({ name: Type.String(), namespace: Type.String(), labels: Type.Optional(Names) }, only)
const Few = Type.Integer({ minimum: 0 })

/**
 * The fields of a Fleet that ours uses. No package has the schema of Agones, so this is our own, written from
 * https://agones.dev/site/docs/reference/fleet/ and the reference of GameServer.
 */
const Fleet = Type.Object(
  {
    apiVersion: Type.Literal('agones.dev/v1'),
    kind: Type.Literal('Fleet'),
    metadata: Metadata,
    spec: Type.Object(
      {
        replicas: Few,
        scheduling: Type.Union([Type.Literal('Packed'), Type.Literal('Distributed')]),
        strategy: Type.Object(
          { type: Type.Literal('RollingUpdate'), rollingUpdate: Type.Object({ maxSurge: Few, maxUnavailable: Few }, only) },
          only,
        ),
        template: Type.Object(
          {
            metadata: Type.Object({ labels: Names }, only),
            spec: Type.Object(
              {
                health: Type.Object({ initialDelaySeconds: Few, periodSeconds: Few, failureThreshold: Few }, only),
                eviction: Type.Object(
                  { safe: Type.Union([Type.Literal('Always'), Type.Literal('OnUpgrade'), Type.Literal('Never')]) },
                  only,
                ),
                sdkServer: Type.Object(
                  {
                    logLevel: Type.Union([
                      Type.Literal('Error'),
                      Type.Literal('Info'),
                      Type.Literal('Debug'),
                      Type.Literal('Trace'),
                    ]),
                    httpPort: Type.Integer({ minimum: 1, maximum: 65_535 }),
                  },
                  only,
                ),
                // A pod template belongs to Kubernetes, and is checked separately.
                template: Type.Object({ metadata: Type.Unknown(), spec: Type.Unknown() }, only),
              },
              only,
            ),
          },
          only,
        ),
      },
      only,
    ),
  },
  only,
)

const FleetAutoscaler = Type.Object(
  {
    apiVersion: Type.Literal('autoscaling.agones.dev/v1'),
    kind: Type.Literal('FleetAutoscaler'),
    metadata: Metadata,
    spec: Type.Object(
      {
        fleetName: Type.String(),
        policy: Type.Object(
          { type: Type.Literal('Buffer'), buffer: Type.Object({ bufferSize: Few, minReplicas: Few, maxReplicas: Few }, only) },
          only,
        ),
      },
      only,
    ),
  },
  only,
)

const fleet = getObject('Fleet', 'gatehouse-realtime')
const deployment = getObject('Deployment', 'gatehouse-realtime')
const pod = fleet.spec.template.spec.template
const faultsOf = (schema: typeof Fleet | typeof FleetAutoscaler, value: unknown) =>
  [...Value.Errors(schema, value)].map(({ path, message }) => `${path}: ${message}`)

describe('the Agones fleet', () => {
  it('conforms to our own small schema of a Fleet', () => {
    expect(faultsOf(Fleet, fleet)).toEqual([])
    expect(faultsOf(Fleet, { ...fleet, spec: { ...fleet.spec, replica: 1 } })).toEqual(['/spec/replica: Unexpected property'])
  })

  it('has an autoscaler that keeps one standby node ready', () => {
    const autoscaler = getObject('FleetAutoscaler', 'gatehouse-realtime')
    expect(faultsOf(FleetAutoscaler, autoscaler)).toEqual([])
    expect(autoscaler.spec.fleetName).toBe(fleet.metadata.name)
    expect(autoscaler.spec.policy.buffer.bufferSize).toBe(1)
  })

  it('creates pods that conform to the schema and the types of Kubernetes', async () => {
    const asPod = { apiVersion: 'v1', kind: 'Pod', ...pod }
    await checkBySchema(asPod)
    expect(await checkByTypes([asPod])).toBe('')
  })

  it('runs the same container as the Deployment that it replaces', () => {
    const { livenessProbe, startupProbe, securityContext, ...rest } = deployment.spec.template.spec.containers[0]
    const { securityContext: own, ...container } = pod.spec.containers[0]
    expect(container).toEqual(rest)
    expect(own).toEqual({ ...securityContext, runAsUser: 10001, runAsGroup: 10001 })
    // Agones checks its own sidecar instead. The node sends it a sign of life every two seconds.
    expect([livenessProbe, startupProbe].every((probe) => probe !== undefined)).toBe(true)
    expect(fleet.spec.template.spec.health.periodSeconds).toBeGreaterThanOrEqual(4)
  })

  it('is selected by the real-time service, and gives the sidecar its account', () => {
    const { selector } = getObject('Service', 'gatehouse-realtime').spec
    expect(pod.metadata.labels).toMatchObject(selector)
    const binding = getObject('RoleBinding', 'gatehouse-agones-sdk')
    expect(binding.subjects.map(({ name }: KubernetesObject) => name)).toEqual([pod.spec.serviceAccountName])
  })
})
