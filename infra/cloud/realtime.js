// The real-time node. With the setting certificateOfRegion it is a service of this stack (the files of infra/cloud/realtime/). Without
// it, it is a server of its own, whose host name is read from SSM at the deployment.
import { nodeAlarms } from './realtime/alarms.js'
import { createNodeRoles } from './realtime/roles.js'

const isHere = async (resolveVariable) => {
  const [certificate, domain] = [await resolveVariable('param:certificateOfRegion'), await resolveVariable('param:domain')]
  if (certificate !== '' && domain === '')
    throw new Error(
      'certificateOfRegion needs domain and certificate too: CloudFront asks the balancer by the name that people opened',
    )
  return certificate !== ''
}

const onlyHere =
  (part) =>
  async ({ resolveVariable }) =>
    (await isHere(resolveVariable)) ? part : {}

const file = (name) => onlyHere(`\${file(infra/cloud/realtime/${name}.yml)}`)

/** Resources of the service, or none. */
export const network = file('network')
export const balancer = file('balancer')
export const service = file('service')
export const scaling = file('scaling')
export const alarms = onlyHere(nodeAlarms)
export const roles = onlyHere(createNodeRoles())

/** What is only needed when the node is somewhere else. */
export const elsewhere = async ({ resolveVariable }) =>
  (await isHere(resolveVariable))
    ? {}
    : {
        Parameters: {
          RealtimeOrigin: {
            Type: 'AWS::SSM::Parameter::Value<String>',
            Default: `/\${self:service}/\${sls:stage}/realtime-origin`,
            Description: 'The host name of the balancer in front of the real-time node.',
          },
        },
      }

const hostName = async (resolveVariable) =>
  (await isHere(resolveVariable)) ? { 'Fn::GetAtt': ['NodeBalancer', 'DNSName'] } : { Ref: 'RealtimeOrigin' }

/** Where CloudFront finds it. Only a balancer of this stack is shown the secret by which it knows CloudFront. */
export const origin = async ({ resolveVariable }) => ({
  Id: 'realtime',
  DomainName: await hostName(resolveVariable),
  CustomOriginConfig: { OriginProtocolPolicy: 'https-only', OriginSSLProtocols: ['TLSv1.2'], OriginReadTimeout: 60 },
  ...((await isHere(resolveVariable)) && {
    OriginCustomHeaders: [
      { HeaderName: 'x-origin-secret', HeaderValue: { 'Fn::Sub': `{{resolve:secretsmanager:\${OriginSecret}}}` } },
    ],
  }),
})

/** REALTIME_URL of the functions, which pass nothing on themselves: it stands for where that is done. */
export const url = async ({ resolveVariable }) => ({
  'Fn::Sub': [`https://\${Host}`, { Host: await hostName(resolveVariable) }],
})

/** The most nodes that load may start: one for each world of the list, since a further one would only stand by. */
export const nodesMax = async ({ resolveVariable }) => {
  const worlds = String(await resolveVariable('param:worlds')).split(',')
  return Math.max(Number(await resolveVariable('param:nodesMin')), worlds.length)
}
