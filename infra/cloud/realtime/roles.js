import { nodeAccess } from '../access.js'
import { tableStatements } from '../roles.js'

const repository = {
  'Fn::Sub': `arn:\${AWS::Partition}:ecr:\${AWS::Region}:\${AWS::AccountId}:repository/\${self:service}-realtime`,
}

const createRole = (name, statements) => ({
  Type: 'AWS::IAM::Role',
  Properties: {
    AssumeRolePolicyDocument: {
      Version: '2012-10-17',
      Statement: [
        {
          Effect: 'Allow',
          Principal: { Service: 'ecs-tasks.amazonaws.com' },
          Action: 'sts:AssumeRole',
          Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
        },
      ],
    },
    Policies: [{ PolicyName: name, PolicyDocument: { Version: '2012-10-17', Statement: statements } }],
  },
})

/** The permissions of a node (defined in `access.js`), and those of AWS to start one: to fetch its image and write its log. */
export const createNodeRoles = () => ({
  Resources: {
    NodeTaskRole: createRole('tables', tableStatements(nodeAccess)),
    NodeExecutionRole: createRole('start', [
      {
        Effect: 'Allow',
        Action: ['ecr:BatchCheckLayerAvailability', 'ecr:BatchGetImage', 'ecr:GetDownloadUrlForLayer'],
        Resource: repository,
      },
      // The sign-in to registries has no resource.
      { Effect: 'Allow', Action: ['ecr:GetAuthorizationToken'], Resource: '*' },
      {
        Effect: 'Allow',
        Action: ['logs:CreateLogStream', 'logs:PutLogEvents'],
        Resource: { 'Fn::GetAtt': ['NodeLogGroup', 'Arn'] },
      },
    ]),
  },
})
