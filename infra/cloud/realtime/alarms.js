import { alarm } from '../alarm.js'

const namespace = `\${self:service}/\${sls:stage}`
const target = [
  { Name: 'TargetGroup', Value: { 'Fn::GetAtt': ['NodeTargets', 'TargetGroupFullName'] } },
  { Name: 'LoadBalancer', Value: { 'Fn::GetAtt': ['NodeBalancer', 'LoadBalancerFullName'] } },
]
const service = [
  { Name: 'ClusterName', Value: { Ref: 'NodeCluster' } },
  { Name: 'ServiceName', Value: { 'Fn::GetAtt': ['NodeService', 'Name'] } },
]

const ofBalancer = (metric) => ({ Namespace: 'AWS/ApplicationELB', MetricName: metric, Dimensions: target })
const ofService = (metric) => ({
  Namespace: 'AWS/ECS',
  MetricName: metric,
  Dimensions: service,
  Statistic: 'Average',
  Threshold: 85,
  DatapointsToAlarm: 5,
})
const ofNodes = (metric, statistic, threshold) => ({
  Namespace: namespace,
  MetricName: metric,
  Statistic: statistic,
  Threshold: threshold,
})

/** A deployment that is rolled back is an event, not a metric. */
const failedDeployments = {
  Type: 'AWS::Events::Rule',
  Properties: {
    Description: 'A new version of the real-time node did not start. The previous version stays.',
    EventPattern: {
      source: ['aws.ecs'],
      'detail-type': ['ECS Deployment State Change'],
      resources: [{ Ref: 'NodeService' }],
      detail: { eventName: ['SERVICE_DEPLOYMENT_FAILED'] },
    },
    Targets: [{ Id: 'alarms', Arn: { Ref: 'AlarmTopic' } }],
  },
}

const mayTell = {
  Type: 'AWS::SNS::TopicPolicy',
  Properties: {
    Topics: [{ Ref: 'AlarmTopic' }],
    PolicyDocument: {
      Version: '2012-10-17',
      Statement: ['cloudwatch.amazonaws.com', 'events.amazonaws.com'].map((Service) => ({
        Effect: 'Allow',
        Principal: { Service },
        Action: 'sns:Publish',
        Resource: { Ref: 'AlarmTopic' },
        Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
      })),
    },
  },
}

/**
 * Alarms of the node: whether one runs, whether it keeps up, and whether it has room. For what to do about each, see
 * docs/operations.md.
 */
export const nodeAlarms = {
  Resources: {
    NodeGone: alarm('No real-time node runs a world.', {
      ...ofNodes('SessionsPercent', 'SampleCount', 1),
      ComparisonOperator: 'LessThanThreshold',
      TreatMissingData: 'breaching',
      DatapointsToAlarm: 5,
    }),
    NodeUnhealthy: alarm('A real-time node is not ready.', { ...ofBalancer('UnHealthyHostCount'), Statistic: 'Maximum' }),
    NodeFaults: alarm('Real-time nodes answer with 5xx.', { ...ofBalancer('HTTPCode_Target_5XX_Count'), Threshold: 5 }),
    NodeUnreachable: alarm('The balancer cannot find or reach a real-time node.', {
      Namespace: 'AWS/ApplicationELB',
      MetricName: 'HTTPCode_ELB_5XX_Count',
      Dimensions: [target[1]],
      Threshold: 5,
    }),
    NodeFull: alarm('A real-time node is almost full.', ofNodes('SessionsPercent', 'Maximum', 90)),
    NodeLate: alarm('Ticks of a real-time node start late.', ofNodes('LateTicksPercent', 'Maximum', 5)),
    NodeCpu: alarm('Real-time nodes have almost no processor time left.', ofService('CPUUtilization')),
    NodeMemory: alarm('Real-time nodes have almost no memory left.', ofService('MemoryUtilization')),
    NodeDeploymentFailed: failedDeployments,
    AlarmTopicPolicy: mayTell,
  },
}
