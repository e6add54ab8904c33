import { readFile } from 'node:fs/promises'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { parse } from 'yaml'
import { imageServerDefaults } from '../../../infra/containers/bundle-half.ts'
import { createClientAddresses } from '../../../shared/domain/auth/client-address.ts'
import { parseEnvironment } from '../../../shared/platform/process/environment.ts'
import { projectRoot } from '../../support/architecture/import-graph.ts'
import { listTemplateFaults } from '../../support/cloud/cloud-formation.ts'
import { listMissing } from '../../support/cloud/cloud-references.ts'
import { resourcesOf, type Template } from '../../support/cloud/cloud-template.ts'

export const nodeSettings = {
  domain: 'play.example.org',
  certificate: 'arn:aws:acm:us-east-1:123456789012:certificate/a',
  certificateOfRegion: 'arn:aws:acm:eu-central-1:123456789012:certificate/b',
  worlds: 'default,arena,caves',
  internet: 'true',
}
const seconds = (text: unknown): number => Number(text)

/** The real-time node as a part of the stack; `packageProduction` packages it with `nodeSettings`. */
export const describeRealtimeService = (packageProduction: () => Promise<Template>): void =>
  describe('the package with a certificate for the balancer of the real-time node', () => {
    let template: Template
    beforeAll(async () => {
      template = await packageProduction()
    }, 180_000)

    const propertiesOf = (name: string) => template.Resources[name]?.Properties
    const container = () => propertiesOf('NodeTask').ContainerDefinitions[0]
    const attributesOf = (name: string, key: string): Record<string, string> =>
      Object.fromEntries(propertiesOf(name)[key].map(({ Key, Value }: { Key: string; Value: string }) => [Key, Value]))
    const ingresses = () => resourcesOf(template, 'AWS::EC2::SecurityGroupIngress').map(([, { Properties }]) => Properties)
    const groupOf = (name: string) => ({ 'Fn::GetAtt': [name, 'GroupId'] })
    /** The environment of the container, with examples for the values that only AWS knows. */
    const environment = (): Record<string, string> => {
      const made: Record<string, string> = {
        AWS_REGION: 'eu-central-1',
        REDIS_URL: 'rediss+cluster://redis.example:6379',
        BASE_URL: 'https://play.example.org',
      }
      const variables: { Name: string; Value: unknown }[] = container().Environment
      return Object.fromEntries(
        variables.map(({ Name, Value }) => [Name, typeof Value === 'string' ? Value : (made[Name] ?? '')]),
      )
    }

    it('routes WebSockets to the balancer by the public domain, and has no dangling references', () => {
      const { Origins, Aliases, CacheBehaviors } = propertiesOf('Distribution').DistributionConfig
      const [origin] = Origins.filter(({ Id }: { Id: string }) => Id === 'realtime')
      expect(origin.DomainName).toEqual({ 'Fn::GetAtt': ['NodeBalancer', 'DNSName'] })
      expect(origin.CustomOriginConfig.OriginProtocolPolicy).toBe('https-only')
      expect(JSON.stringify(Aliases)).toContain(nodeSettings.domain)
      // AllViewer forwards the Host header, so CloudFront expects a certificate for that name, not for the name of the balancer.
      for (const { TargetOriginId, OriginRequestPolicyId } of CacheBehaviors)
        if (TargetOriginId === 'realtime') expect(OriginRequestPolicyId).toBe('216adef6-5c7f-47e4-b989-5492eafa07d3')
      expect(propertiesOf('NodeListener')).toMatchObject({
        Protocol: 'HTTPS',
        Port: 443,
        Certificates: [{ CertificateArn: nodeSettings.certificateOfRegion }],
        SslPolicy: expect.stringContaining('TLS13'),
      })
      expect(Object.keys(template.Parameters)).toEqual(['BaseUrl'])
      expect(listMissing(template)).toEqual([])
      expect(JSON.stringify(template)).not.toMatch(/\$\{(param|self|sls|opt|env|file)[:(]/)
    })

    it('forwards only requests with the secret of CloudFront', () => {
      expect(propertiesOf('NodeListener').DefaultActions).toMatchObject([
        { Type: 'fixed-response', FixedResponseConfig: { StatusCode: '404' } },
      ])
      const [{ Field, HttpHeaderConfig }] = propertiesOf('NodeListenerRule').Conditions
      expect(Field).toBe('http-header')
      const origin = propertiesOf('Distribution').DistributionConfig.Origins[2]
      expect(HttpHeaderConfig).toEqual({
        HttpHeaderName: origin.OriginCustomHeaders[0].HeaderName,
        Values: [origin.OriginCustomHeaders[0].HeaderValue],
      })
      expect(JSON.stringify(HttpHeaderConfig.Values)).toContain('{{resolve:secretsmanager:')
    })

    it('admits to a node only the balancer and other nodes, and gives nodes Redis and DynamoDB', () => {
      const toNodes = ingresses().filter(({ GroupId }) => GroupId['Fn::GetAtt'][0] === 'NodeSecurityGroup')
      expect(toNodes).toMatchObject(
        ['BalancerSecurityGroup', 'NodeSecurityGroup'].map((from) => ({
          SourceSecurityGroupId: groupOf(from),
          FromPort: 3001,
          ToPort: 3001,
          IpProtocol: 'tcp',
        })),
      )
      expect(propertiesOf('NodeSecurityGroup').SecurityGroupIngress).toBeUndefined()
      expect(ingresses()).toContainEqual(
        expect.objectContaining({
          GroupId: groupOf('RedisSecurityGroup'),
          SourceSecurityGroupId: groupOf('NodeSecurityGroup'),
          FromPort: 6379,
          ToPort: 6380,
        }),
      )
      expect(JSON.stringify(propertiesOf('DynamoEndpoint').RouteTableIds)).toContain('PublicRoutes')
      const subnets = [{ Ref: 'PublicSubnet' }, { Ref: 'PublicSubnetB' }]
      expect(propertiesOf('NodeBalancer')).toMatchObject({ Scheme: 'internet-facing', Subnets: subnets })
      const zones = ['PublicSubnet', 'PublicSubnetB'].map((name) => propertiesOf(name).AvailabilityZone['Fn::Select'][0])
      expect(zones).toEqual([0, 1])
    })

    it('runs the image of this version on arm64, without capabilities, in a valid Fargate size', () => {
      const { Cpu, Memory, RuntimePlatform, RequiresCompatibilities, NetworkMode } = propertiesOf('NodeTask')
      expect({ RuntimePlatform, RequiresCompatibilities, NetworkMode }).toEqual({
        RuntimePlatform: { CpuArchitecture: 'ARM64', OperatingSystemFamily: 'LINUX' },
        RequiresCompatibilities: ['FARGATE'],
        NetworkMode: 'awsvpc',
      })
      const gib = Number(Memory) / 1024 / (Number(Cpu) / 1024)
      expect([2, 4, 8]).toContain(gib)
      expect(JSON.stringify(container().Image)).toMatch(/gatehouse-realtime:\d+\.\d+\.\d+/)
      expect(container()).toMatchObject({
        LinuxParameters: { Capabilities: { Drop: ['ALL'] } },
        HealthCheck: { Command: ['CMD', 'node', 'health-check.js'] },
        LogConfiguration: { LogDriver: 'awslogs', Options: { mode: 'non-blocking' } },
      })
      expect(container().Secrets).toBeUndefined()
      expect(JSON.stringify(container())).not.toContain('secretsmanager')
    })

    it('sets every variable that a node in AWS reads, and none that would admit everyone', () => {
      const read = new Set<string>()
      const raw = environment()
      const watched = new Proxy<Record<string, string>>(raw, {
        get: (target, key) => {
          read.add(String(key))
          return target[String(key)]
        },
      })
      expect(parseEnvironment(watched, 'realtime')).toMatchObject({
        host: '0.0.0.0',
        port: 3001,
        allowPasswordless: false,
        worldStandby: true,
        loadLogSeconds: 60,
        worldNames: ['default', 'arena', 'caves'],
        nodeUrl: 'https://play.example.org',
        dynamodb: { tablePrefix: 'gatehouse-prod-', endpoint: undefined },
      })
      // These are detected at the start, meant for other processes, not used by nodes, or for remote services.
      const others = [
        // Set by an image that adds modules.
        'GATEHOUSE_MODULES',
        'NODE_INTERNAL_URL',
        'NODE_URL',
        'REALTIME_URL',
        'DATA_DIR',
        'BACKUP_DIR',
        'DYNAMODB_ENDPOINT',
        'SHUTDOWN_DELAY_MS',
        'REDIS_PATIENCE_MS',
        'DYNAMODB_PATIENCE_MS',
      ]
      const missing = [...read].filter((name) => raw[name] === undefined && !others.includes(name))
      expect(missing.filter((name) => !/^(METRICS|OTEL|ORIGIN|AGONES)_/.test(name))).toEqual([])
      expect(Object.keys(raw).filter((name) => !read.has(name))).toEqual(['OAUTH_CLIENT_SECRET'])
    })

    it('uses a server.yaml that counts the proxies on the way: CloudFront and the balancer', async () => {
      const path = environment().SERVER_DEFAULTS ?? '/app/resources/config/server.yaml'
      const { from = '' } = imageServerDefaults.find(({ to }) => `/app/${to}` === path) ?? {}
      const { http, auth } = parse(await readFile(join(projectRoot, from), 'utf8'))
      // Each proxy appends the address it sees to the list it received.
      expect(attributesOf('NodeBalancer', 'LoadBalancerAttributes')['routing.http.xff_header_processing.mode']).toBe('append')
      const [claimed, player, cloudFront] = ['203.0.113.7', '198.51.100.9', '192.0.2.1']
      const upgrade = new IncomingMessage(new Socket())
      upgrade.headers['x-forwarded-for'] = `${claimed}, ${player}, ${cloudFront}`
      expect(createClientAddresses({ trustedProxies: () => http?.trustedProxies ?? 0 }).of(upgrade)).toBe(player)
      expect(auth.local.requirePassword).toBe(true)
    })

    it('hands over before a stop: the new node is ready first, and each timeout exceeds inner ones', () => {
      expect(propertiesOf('NodeService').DeploymentConfiguration).toEqual({
        MinimumHealthyPercent: 100,
        MaximumPercent: 200,
        DeploymentCircuitBreaker: { Enable: true, Rollback: true },
      })
      expect(propertiesOf('NodeService')).not.toHaveProperty('DesiredCount')
      const drainSeconds = Number(environment().DRAIN_LIMIT_MS) / 1000
      const delay = seconds(attributesOf('NodeTargets', 'TargetGroupAttributes')['deregistration_delay.timeout_seconds'])
      const idle = seconds(attributesOf('NodeBalancer', 'LoadBalancerAttributes')['idle_timeout.timeout_seconds'])
      expect(delay).toBeGreaterThan(drainSeconds)
      // shared/platform/process/shutdown.ts ends a process after 15 s at the latest.
      expect(container().StopTimeout).toBeGreaterThanOrEqual(drainSeconds + 15)
      // Heartbeats are sent every 15 s.
      expect(idle).toBeGreaterThanOrEqual(4 * 15)
    })

    it('checks readiness, and replaces no nodes in an outage of less than five minutes', () => {
      const { HealthCheckPath, HealthCheckIntervalSeconds, HealthyThresholdCount, UnhealthyThresholdCount } =
        propertiesOf('NodeTargets')
      expect(HealthCheckPath).toBe('/readyz')
      expect(HealthCheckIntervalSeconds * UnhealthyThresholdCount).toBe(300)
      expect(propertiesOf('NodeService').HealthCheckGracePeriodSeconds).toBeGreaterThan(
        HealthCheckIntervalSeconds * HealthyThresholdCount,
      )
      expect(template.Resources.NodeService?.DependsOn).toContain('NodeListenerRule')
    })

    it('starts a node for each world as nodes fill up, by their log, and stops none by itself', () => {
      expect(propertiesOf('NodeCount')).toMatchObject({ MinCapacity: 1, MaxCapacity: nodeSettings.worlds.split(',').length })
      const policy = propertiesOf('NodeScaling').TargetTrackingScalingPolicyConfiguration
      const [transformation] = propertiesOf('NodeSessionsMetric').MetricTransformations
      expect(policy.CustomizedMetricSpecification).toMatchObject({
        Namespace: transformation.MetricNamespace,
        MetricName: transformation.MetricName,
        Unit: transformation.Unit,
      })
      expect(policy).toMatchObject({ TargetValue: 70, DisableScaleIn: true })
      // The log line that test/realtime/node/load-log.test.ts reads.
      for (const name of ['NodeSessionsMetric', 'NodeLateTicksMetric']) {
        const { FilterPattern, MetricTransformations } = propertiesOf(name)
        expect(FilterPattern).toBe(`{ $.msg = "load" && ${MetricTransformations[0].MetricValue} >= 0 }`)
      }
      expect(propertiesOf('NodeSessionsMetric').MetricTransformations[0].MetricValue).toBe('$.sessionsPercent')
      expect(propertiesOf('NodeLateTicksMetric').MetricTransformations[0].MetricValue).toBe('$.lateTicksPercent')
      expect(['info', 'debug']).toContain(environment().LOG_LEVEL)
    })

    it('grants nodes the tables of access.js, and lets AWS pull the image and write the log', () => {
      const statements = propertiesOf('NodeTaskRole').Policies[0].PolicyDocument.Statement
      expect(JSON.stringify(statements)).not.toContain('*')
      expect(statements.map(({ Resource }: { Resource: { 'Fn::GetAtt': string[] } }) => Resource['Fn::GetAtt'][0])).toEqual([
        ...['AccountsTable', 'ConfigsTable', 'RecordsTable', 'ChunksTable'],
      ])
      const start = propertiesOf('NodeExecutionRole').Policies[0].PolicyDocument.Statement
      expect(start.filter(({ Resource }: { Resource: unknown }) => Resource === '*')).toEqual([
        { Effect: 'Allow', Action: ['ecr:GetAuthorizationToken'], Resource: '*' },
      ])
      for (const role of ['NodeTaskRole', 'NodeExecutionRole'])
        expect(JSON.stringify(propertiesOf(role).AssumeRolePolicyDocument)).toContain('ecs-tasks.amazonaws.com')
    })

    it('sends every alarm to the topic, which accepts messages of CloudWatch and ECS', () => {
      for (const [, { Properties }] of resourcesOf(template, 'AWS::CloudWatch::Alarm'))
        expect(Properties.AlarmActions).toEqual([{ Ref: 'AlarmTopic' }])
      expect(propertiesOf('NodeGone')).toMatchObject({ TreatMissingData: 'breaching', MetricName: 'SessionsPercent' })
      expect(JSON.stringify(propertiesOf('AlarmTopicPolicy'))).toMatch(/cloudwatch\.amazonaws\.com.*events\.amazonaws\.com/)
      expect(propertiesOf('NodeDeploymentFailed').Targets).toMatchObject([{ Arn: { Ref: 'AlarmTopic' } }])
    })

    describe('checked against the resource schemas of CloudFormation', () => {
      it('has no unknown types, properties and attributes, no missing ones, and valid values', () => {
        expect(listTemplateFaults(template)).toEqual([])
      })
    })
  })
