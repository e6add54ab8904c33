import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { accountRoutes } from '../../../functions/accounts/routes.ts'
import { allRoutes } from '../../../functions/all-routes.ts'
import { authRoutes } from '../../../functions/auth/routes.ts'
import { backupRoutes } from '../../../functions/backups/routes.ts'
import { classRoutes } from '../../../functions/classes/routes.ts'
import { configRoutes } from '../../../functions/configs/routes.ts'
import type { Route } from '../../../functions/http/route.ts'
import { jobRoutes } from '../../../functions/jobs/routes.ts'
import { liveRoutes } from '../../../functions/live/routes.ts'
import { moduleRoutes } from '../../../functions/modules/routes.ts'
import { pageRoutes } from '../../../functions/pages/routes.ts'
import { realtimeRoutes } from '../../../functions/realtime/routes.ts'
import { sanctionRoutes } from '../../../functions/sanctions/routes.ts'
import { createServiceRoutes } from '../../../functions/service/routes.ts'
import { streamRoutes } from '../../../functions/streams/routes.ts'
import { undoRoutes } from '../../../functions/undo/routes.ts'
import { worldRoutes } from '../../../functions/worlds/routes.ts'
import { zoneRoutes } from '../../../functions/zones/routes.ts'
import { parseEnvironment } from '../../../shared/platform/process/environment.ts'
import { describeDynamoTable, dynamoTables } from '../../../shared/platform/storage/dynamodb/dynamodb-tables.ts'
import { lambdasFolder } from '../../../tools/package/bundle-lambdas.ts'
import { listLambdas } from '../../../tools/package/list-lambdas.ts'
import { listMissing } from '../../support/cloud/cloud-references.ts'
import { createPackager, type Resource, resourcesOf, type Template } from '../../support/cloud/cloud-template.ts'
import { describeRealtimeService, nodeSettings } from './realtime-service.ts'

const routesOf: Readonly<Record<string, readonly Route[]>> = {
  accounts: [...accountRoutes, ...sanctionRoutes, ...moduleRoutes, ...undoRoutes, ...jobRoutes, ...backupRoutes, ...liveRoutes],
  auth: authRoutes,
  classes: classRoutes,
  configs: configRoutes,
  service: [...createServiceRoutes(async () => allRoutes), ...realtimeRoutes, ...pageRoutes],
  streams: streamRoutes,
  worlds: worldRoutes,
  zones: zoneRoutes,
}

const packageTemplate = createPackager()
let production: Promise<Template> | undefined
/** The second package serves two suites, because each takes seconds. */
const packageProduction = (): Promise<Template> => {
  production ??= packageTemplate('prod', nodeSettings)
  return production
}
const nothing: Resource = { Type: 'none', Properties: {} }

const capitalised = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)
/** `/users/:email` and `/configs/*name` in the notation of API Gateway. */
const gatewayPath = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}').replaceAll(/\*(\w+)/g, '{$1+}')

describe.each(['dev', 'prod'])('the package of the stage %s', (stage) => {
  let template: Template
  beforeAll(async () => {
    template = await (stage === 'dev' ? packageTemplate('dev') : packageProduction())
  }, 180_000)

  const lambdaOf = (name: string) => template.Resources[`${capitalised(name)}LambdaFunction`]?.Properties
  const behaviours = (): readonly { readonly PathPattern: string; readonly TargetOriginId: string }[] =>
    template.Resources.Distribution?.Properties.DistributionConfig.CacheBehaviors

  it('has a function for each folder of functions/, each with its own role, log and limits', () => {
    expect(resourcesOf(template, 'AWS::Lambda::Function').map(([name]) => name)).toHaveLength(listLambdas().length)
    for (const name of listLambdas()) {
      expect(lambdaOf(name)).toMatchObject({
        Handler: `.build/lambdas/${name}/handler.handler`,
        Runtime: 'nodejs22.x',
        Architectures: ['arm64'],
        Role: { 'Fn::GetAtt': [`${capitalised(name)}Role`, 'Arn'] },
        ReservedConcurrentExecutions: expect.any(Number),
        VpcConfig: { SubnetIds: [expect.anything(), expect.anything()], SecurityGroupIds: [expect.anything()] },
      })
      expect(template.Resources[`${capitalised(name)}LogGroup`]?.Properties.RetentionInDays).toBe(stage === 'dev' ? 14 : 90)
    }
  })

  /** The function of each API Gateway route. */
  const readGateway = (): ReadonlyMap<string, string> => {
    const gateway = new Map<string, string>()
    for (const [, { Properties }] of resourcesOf(template, 'AWS::ApiGatewayV2::Route')) {
      const integration = String(Properties.Target['Fn::Join'][1][1].Ref)
      expect(gateway.has(Properties.RouteKey)).toBe(false)
      gateway.set(Properties.RouteKey, integration.replace('HttpApiIntegration', '').toLowerCase())
    }
    return gateway
  }

  it.each(allRoutes.map((route) => [route.method.toUpperCase(), route.path, route] as const))(
    'routes %s %s to exactly one function, which answers it',
    (_method, path, route) => {
      const viaGateway = readGateway().get(`ANY ${gatewayPath(path)}`)
      const viaStreams = streamRoutes.includes(route) ? 'streams' : undefined
      const reached = [viaGateway, viaStreams].filter((name) => name !== undefined)
      expect(reached).toHaveLength(1)
      expect(routesOf[reached[0] ?? '']).toContainEqual(expect.objectContaining({ method: route.method, path }))
      const pattern = behaviours().find(({ PathPattern }) =>
        new RegExp(`^${PathPattern.replaceAll('*', '.*')}$`).test(path.replace(':id', 'id')),
      )
      const origin = path === '/realtime' || path.startsWith('/api/admin/ws/') ? 'realtime' : viaStreams
      expect(pattern?.TargetOriginId).toBe(origin)
    },
  )

  it('routes only known paths, and everything else to the function that answers 404', () => {
    const gateway = new Map(readGateway())
    for (const { path } of allRoutes) gateway.delete(`ANY ${gatewayPath(path)}`)
    expect([...gateway]).toEqual([['$default', 'service']])
    expect(behaviours().map(({ PathPattern, TargetOriginId }) => [PathPattern, TargetOriginId])).toEqual([
      ['/api/admin/instances/*/blocks', 'streams'],
      ['/api/admin/chunks/discovered', 'streams'],
      ['/realtime', 'realtime'],
      ['/api/admin/ws/*', 'realtime'],
    ])
  })

  it('streams the answers that must not be buffered', () => {
    expect(template.Resources.StreamsLambdaFunctionUrl?.Properties.InvokeMode).toBe('RESPONSE_STREAM')
  })

  it('grants no action and no resource by a wildcard, and each function its own log only', () => {
    // The roles of nodes, which production has here, are checked in realtime-service.ts.
    const roles = resourcesOf(template, 'AWS::IAM::Role').filter(([name]) => !name.startsWith('Node'))
    expect(roles.map(([name]) => name).sort()).toEqual(
      listLambdas()
        .map((name) => `${capitalised(name)}Role`)
        .sort(),
    )
    for (const [name, { Properties }] of roles) {
      expect(JSON.stringify(Properties)).not.toContain('*')
      const statements = Properties.Policies.flatMap(
        (policy: { PolicyDocument: { Statement: unknown[] } }) => policy.PolicyDocument.Statement,
      )
      expect(statements[0].Resource).toEqual({ 'Fn::GetAtt': [name.replace(/Role$/, 'LogGroup'), 'Arn'] })
      for (const { Action, Resource } of statements.slice(1)) {
        expect(Action.every((action: string) => /^dynamodb:[A-Z][A-Za-z]+$/.test(action))).toBe(true)
        expect(Resource['Fn::GetAtt'][0]).toMatch(/^(Accounts|Chunks|Configs|Records)Table$/)
      }
    }
  })

  /** The environment of a function, with examples for the values that only AWS knows. */
  const environmentOf = (name: string): Record<string, string> => {
    const made: Readonly<Record<string, string>> = {
      REDIS_URL: 'rediss+cluster://redis.example:6379',
      BASE_URL: 'https://play.example.org',
      REALTIME_URL: 'https://node.example.org',
      ORIGIN_SECRET: 'x',
      OAUTH_CLIENT_SECRET: 'x',
    }
    const variables: Readonly<Record<string, unknown>> = lambdaOf(name)?.Environment.Variables ?? {}
    return Object.fromEntries(
      Object.entries(variables).map(([key, value]) => [key, typeof value === 'string' ? value : (made[key] ?? '')]),
    )
  }

  it.each(listLambdas())('sets every environment variable that %s reads', (name) => {
    const read = new Set<string>()
    const raw: Record<string, string> = { ...environmentOf(name), AWS_REGION: 'eu-central-1' }
    const watched = new Proxy<Record<string, string>>(raw, {
      get: (target, key) => {
        read.add(String(key))
        return target[String(key)]
      },
    })
    const environment = parseEnvironment(watched, 'http')
    // Settings for listeners, data folders and a local DynamoDB, which functions do not use.
    const meaningless = [
      'PORT',
      'METRICS_PORT',
      'METRICS_HOST',
      'DATA_DIR',
      'BACKUP_DIR',
      // The default of server.yaml is in the bundles that need it.
      'SERVER_DEFAULTS',
      'SHUTDOWN_DELAY_MS',
      'DYNAMODB_ENDPOINT',
    ]
    const ofNodes = [
      'WORLD_STANDBY',
      'NODE_URL',
      'NODE_INTERNAL_URL',
      'DRAIN_LIMIT_MS',
      'LOAD_LOG_SECONDS',
      'AGONES_SDK_HTTP_PORT',
      'GATEHOUSE_MODULES',
    ]
    const farAway = ['REDIS_PATIENCE_MS', 'DYNAMODB_PATIENCE_MS']
    const unused = [...meaningless, ...ofNodes, ...farAway]
    // Traces are configured in the account of the deployment, which has a collector.
    const missing = [...read].filter((key) => raw[key] === undefined && !unused.includes(key) && !key.startsWith('OTEL_'))
    expect(missing).toEqual([])
    expect(environment.dynamodb).toMatchObject({ tablePrefix: `gatehouse-${stage}-` })
    // With a host on loopback, a start would accept any email without a password.
    expect(environment).toMatchObject({ host: '0.0.0.0', allowPasswordless: false })
  })

  it('has the tables of the adapters, with backups, encryption and expiry', () => {
    expect(resourcesOf(template, 'AWS::DynamoDB::Table')).toHaveLength(dynamoTables.length)
    for (const table of dynamoTables) {
      const { Properties, DeletionPolicy } = template.Resources[`${capitalised(table)}Table`] ?? nothing
      expect(Properties).toMatchObject(describeDynamoTable(`gatehouse-${stage}-${table}`))
      expect(Properties.GlobalSecondaryIndexes).toBeUndefined()
      expect(Properties.PointInTimeRecoverySpecification).toEqual({ PointInTimeRecoveryEnabled: true })
      expect(Properties.SSESpecification).toEqual({ SSEEnabled: true })
      expect(Properties.TimeToLiveSpecification.Enabled).toBe(true)
      expect([DeletionPolicy, Properties.DeletionProtectionEnabled]).toEqual(
        stage === 'prod' ? ['Retain', true] : ['Delete', false],
      )
    }
  })

  it('has alarms for errors and throttles of every function', () => {
    const alarms = resourcesOf(template, 'AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties)
    for (const name of listLambdas())
      for (const metric of ['Errors', 'Throttles'])
        expect(
          alarms.filter(
            ({ MetricName, Dimensions }) =>
              MetricName === metric && Dimensions[0].Value.Ref === `${capitalised(name)}LambdaFunction`,
          ),
        ).toHaveLength(1)
  })

  it('has alarms for 5xx answers of the API and of the streams', () => {
    expect(template.Resources.HttpFaults?.Properties).toMatchObject({ Namespace: 'AWS/ApiGateway', MetricName: '5xx' })
    expect(template.Resources.StreamFaults?.Properties).toMatchObject({
      Namespace: 'AWS/Lambda',
      MetricName: 'Url5xxCount',
      Dimensions: [{ Name: 'FunctionName', Value: { Ref: 'StreamsLambdaFunction' } }],
    })
  })

  it('lets CloudFront cache nothing, neither answers nor errors', () => {
    const { DefaultCacheBehavior, CacheBehaviors, CustomErrorResponses } =
      template.Resources.Distribution?.Properties.DistributionConfig ?? {}
    // The policy CachingDisabled, which does not apply to errors.
    for (const { CachePolicyId } of [DefaultCacheBehavior, ...CacheBehaviors])
      expect(CachePolicyId).toBe('4135ea2d-6df8-44a3-9df3-4b5a84be39ad')
    expect(CustomErrorResponses).toEqual(
      [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504].map((ErrorCode) => ({ ErrorCode, ErrorCachingMinTTL: 0 })),
    )
  })

  it('gives the client secret of an identity provider only to the function for sign-ins', () => {
    const secretOf = (name: string): unknown => lambdaOf(name)?.Environment.Variables.OAUTH_CLIENT_SECRET
    expect(listLambdas().filter((name) => typeof secretOf(name) !== 'string')).toEqual(['auth'])
    expect(JSON.stringify(secretOf('auth'))).toContain('OauthClientSecret')
    // Every function has a value, because a start requires one. Only the value of `auth` is the secret.
    expect(new Set(listLambdas().map(secretOf))).toContain('known to the function auth')
    expect(JSON.stringify(template.Resources).match(/\$\{OauthClientSecret\}/g)).toHaveLength(1)
  })

  it('contains no secret: secrets are resolved at deployment', () => {
    const variables = lambdaOf('auth')?.Environment.Variables
    for (const name of ['ORIGIN_SECRET', 'OAUTH_CLIENT_SECRET'])
      expect(variables[name]['Fn::Sub']).toMatch(/^\{\{resolve:secretsmanager:\$\{\w+\}\}\}$/)
    for (const secret of resourcesOf(template, 'AWS::SecretsManager::Secret'))
      expect(secret[1].Properties.SecretString).toBeUndefined()
  })

  it('has no dangling references', () => {
    expect(listMissing(template)).toEqual([])
    expect(JSON.stringify(template)).not.toMatch(/\$\{(param|self|sls|opt|env|file)[:(]/)
  })

  it.each(listLambdas())('bundles %s for any machine, with the defaults of a public server', (name) => {
    const folder = join(lambdasFolder, name)
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    expect(files).toEqual(
      expect.arrayContaining(['handler.js', 'password-worker.js', 'worker.js', 'parse-config-worker.js', 'tile-worker.js']),
    )
    expect(files.filter((file) => /\.(node|ts|map)$/.test(file))).toEqual([])
    expect(readFileSync(join(folder, 'resources/config/server.yaml'), 'utf8')).toContain('requirePassword: true')
  })
})

describeRealtimeService(packageProduction)
