import { parseArgs } from 'node:util'
import { bundleLambdas, cloudServerConfig, lambdasFolder } from './bundle-lambdas.ts'
import { runServerless } from './serverless.ts'

const kib = (bytes: number): string => `${Math.round(bytes / 1024)} KiB`

/** Makes all files of a deployment, without an account or network: bundles, archives and the CloudFormation template. */
const packageAll = async (): Promise<void> => {
  const { stage, param } = parseArgs({
    options: { stage: { type: 'string', default: 'dev' }, param: { type: 'string', multiple: true, default: [] } },
  }).values
  for (const [name, { importBytes, totalBytes }] of await bundleLambdas(lambdasFolder, { serverConfig: cloudServerConfig }))
    process.stdout.write(`${name}: ${kib(importBytes)} at its start, ${kib(totalBytes)} in all\n`)
  const folder = `.build/package/${stage}`
  await runServerless(['package', '--stage', stage, '--package', folder, ...param.map((setting) => `--param=${setting}`)])
  process.stdout.write(`The package is in ${folder}. Deploy it: npx serverless deploy --stage ${stage} --package ${folder}\n`)
}

await packageAll()
