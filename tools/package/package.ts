import { parseArgs } from 'node:util'

const kib = (bytes: number): string => `${Math.round(bytes / 1024)} KiB`

/** Makes all files of a deployment, without an account or network: bundles, archives and the CloudFormation template. */
const packageAll = async (stage: string, params: readonly string[]): Promise<void> => {
  const { bundleLambdas, cloudServerConfig, lambdasFolder } = await import('./bundle-lambdas.ts')
  const { runServerless } = await import('./serverless.ts')
  for (const [name, { importBytes, totalBytes }] of await bundleLambdas(lambdasFolder, { serverConfig: cloudServerConfig }))
    process.stdout.write(`${name}: ${kib(importBytes)} at its start, ${kib(totalBytes)} in all\n`)
  const folder = `.build/package/${stage}`
  await runServerless(['package', '--stage', stage, '--package', folder, ...params.map((setting) => `--param=${setting}`)])
  process.stdout.write(`The package is in ${folder}. Deploy it: npx serverless deploy --stage ${stage} --package ${folder}\n`)
}

const { values, positionals } = parseArgs({
  options: {
    stage: { type: 'string', default: 'dev' },
    param: { type: 'string', multiple: true, default: [] },
    modules: { type: 'boolean', default: false },
    out: { type: 'string', default: '.build/modules' },
  },
  allowPositionals: true,
})
if (values.modules) {
  const { packageModules } = await import('./package-modules.ts')
  process.exitCode = await packageModules(positionals, values.out)
} else await packageAll(values.stage, values.param)
