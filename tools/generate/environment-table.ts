import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type VariableRow, variables } from '../../shared/platform/process/environment-variables.ts'
import { root } from './made-files.ts'

/** Variables that are not read from the environment of a process. */
const readElsewhere: readonly VariableRow[] = [
  {
    name: 'ORIGIN_SECRET',
    standard: 'none: not required',
    meaning:
      'Lambdas only: the secret that CloudFront sends in `x-origin-secret`; without it they answer 404 ([cloud.md](cloud.md))',
  },
]

const secretRow =
  '| the one that `auth.oauth.clientSecretEnv` names | none | with `auth.provider: oauth`: the client secret of the identity provider, in every process that answers HTTP; the name cannot be `AWS_…`, `DYNAMODB_…` or `REDIS_URL` |'

const head = '| Variable | Default | Meaning |\n|---|---|---|\n'

/** `docs/operations.md` with the table of declared variables. People write the rest of the page. */
export const createOperationsPage = (): string => {
  const page = readFileSync(join(root, 'docs/operations.md'), 'utf8')
  const [before, after] = page.split(head)
  const rest = after?.slice(after.indexOf('\n\n'))
  if (before === undefined || rest === undefined) throw new Error('docs/operations.md has no table of variables')
  const rows = [...Object.values(variables), ...readElsewhere].map(
    ({ name, standard, meaning }) => `| \`${name}\` | ${standard} | ${meaning} |`,
  )
  return `${before}${head}${[...rows, secretRow].join('\n')}${rest}`
}
