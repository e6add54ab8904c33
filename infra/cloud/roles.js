import { access } from './access.js'

const capitalised = (name) => name.charAt(0).toUpperCase() + name.slice(1)

/** By table: the allowed actions. */
export const tableStatements = (tables) =>
  Object.entries(tables).map(([table, actions]) => ({
    Effect: 'Allow',
    Action: actions,
    Resource: { 'Fn::GetAtt': [`${capitalised(table)}Table`, 'Arn'] },
  }))

/** `GetAtt` of a log group already includes its streams. */
const logStatement = (name) => ({
  Effect: 'Allow',
  Action: ['logs:CreateLogStream', 'logs:PutLogEvents'],
  Resource: { 'Fn::GetAtt': [`${capitalised(name)}LogGroup`, 'Arn'] },
})

const createRole = (name, tables) => ({
  Type: 'AWS::IAM::Role',
  Properties: {
    AssumeRolePolicyDocument: {
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' }],
    },
    // Network interfaces in the VPC have no names for a policy, so this uses the managed policy of AWS, which grants nothing
    // else.
    ManagedPolicyArns: [{ 'Fn::Sub': `arn:\${AWS::Partition}:iam::aws:policy/service-role/AWSLambdaENIManagementAccess` }],
    Policies: [
      {
        PolicyName: name,
        PolicyDocument: { Version: '2012-10-17', Statement: [logStatement(name), ...tableStatements(tables)] },
      },
    ],
  },
})

/** A role for each function, with the permissions in `access` and its own log. */
export const roles = {
  Resources: Object.fromEntries(
    Object.entries(access).map(([name, tables]) => [`${capitalised(name)}Role`, createRole(name, tables)]),
  ),
}
