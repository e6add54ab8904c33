import { access } from './access.js'
import { alarm } from './alarm.js'

const alarmEmail = `\${param:alarmEmail}`

const capitalised = (name) => name.charAt(0).toUpperCase() + name.slice(1)

const ofFunction = (name, metric) => ({
  Namespace: 'AWS/Lambda',
  MetricName: metric,
  Dimensions: [{ Name: 'FunctionName', Value: { Ref: `${capitalised(name)}LambdaFunction` } }],
})

const functionAlarms = (name) => [
  [`${capitalised(name)}Errors`, alarm(`Calls of the function ${name} fail.`, ofFunction(name, 'Errors'))],
  [`${capitalised(name)}Throttles`, alarm(`Calls of the function ${name} are throttled.`, ofFunction(name, 'Throttles'))],
]

/** 5xx answers at the address itself, of any function, including those while Redis or DynamoDB is unavailable. */
const httpFaults = alarm('The HTTP half answers with 5xx.', {
  Namespace: 'AWS/ApiGateway',
  MetricName: '5xx',
  Dimensions: [{ Name: 'ApiId', Value: { Ref: 'HttpApi' } }],
  Threshold: 5,
})

/** The same for the function that is not behind API Gateway. */
const streamFaults = alarm('Streamed answers are 5xx.', { ...ofFunction('streams', 'Url5xxCount'), Threshold: 5 })

/** Alarms on errors and throttles of each function, with their receivers. */
export const alarms = {
  Resources: {
    AlarmTopic: { Type: 'AWS::SNS::Topic' },
    AlarmMail: {
      Type: 'AWS::SNS::Subscription',
      Condition: 'HasAlarmEmail',
      Properties: { TopicArn: { Ref: 'AlarmTopic' }, Protocol: 'email', Endpoint: alarmEmail },
    },
    HttpFaults: httpFaults,
    StreamFaults: streamFaults,
    ...Object.fromEntries(Object.keys(access).flatMap(functionAlarms)),
  },
}
