// The real-time node. With the setting certificateOfRegion it is a service of this stack (the files of infra/cloud/realtime/).
// Without it, it is a separate server, whose host name is read from SSM at the deployment.
import { nodeAlarms } from './realtime/alarms.js'
import { createNodeRoles } from './realtime/roles.js'

const isHere = async (resolveVariable) => {
  const [certificate, domain] = [await resolveVariable('param:certificateOfRegion'), await resolveVariable('param:domain')]
  if (certificate !== '' && domain === '')
    throw new Error(
      'certificateOfRegion needs domain and certificate too, because CloudFront connects to the balancer with the public host name. Set both.',
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

/** Only needed when the node is outside this stack. */
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

/** Its address for CloudFront. Only a balancer of this stack receives the secret by which it recognizes CloudFront. */
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

/** REALTIME_URL of the functions. They pass no connections on; the value only says where that happens. */
export const url = async ({ resolveVariable }) => ({
  'Fn::Sub': [`https://\${Host}`, { Host: await hostName(resolveVariable) }],
})

/** The maximum number of nodes that load can start: one for each world of the list. Further nodes would only be standbys. */
export const nodesMax = async ({ resolveVariable }) => {
  const worlds = String(await resolveVariable('param:worlds')).split(',')
  return Math.max(Number(await resolveVariable('param:nodesMin')), worlds.length)
}
