import { execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { copyConfigs, type LambdaBundle, openLambdaBundler } from './bundle-lambda.ts'
import { listLambdas } from './list-lambdas.ts'

const root = resolve(import.meta.dirname, '../..')

/** The folder in which serverless.yml expects a folder for each bundle. */
export const lambdasFolder = join(root, '.build/lambdas')

/** The default `server.yaml` of a server on the public internet. */
export const cloudServerConfig = join(root, 'infra/cloud/server.yaml')

/** The function that answers with pages. */
const pagesLambda = 'service'

export type BundleOptions = {
  /** The default `server.yaml`, if it is not the bundled one. */
  readonly serverConfig?: string
  /** Compresses the pages in a fifth of the time, into files a tenth larger. */
  readonly isHasty?: boolean
}

/**
 * Bundles every function into its own folder in `folder`, and returns the sizes by name. The pages for browsers are next to the
 * function that serves them.
 */
export const bundleLambdas = async (
  folder: string,
  { serverConfig, isHasty = false }: BundleOptions = {},
): Promise<ReadonlyMap<string, LambdaBundle>> => {
  const bundles = new Map<string, LambdaBundle>()
  const bundler = await openLambdaBundler()
  try {
    for (const name of listLambdas()) {
      bundles.set(name, await bundler.bundle(`functions/${name}/handler.ts`, join(folder, name)))
      await copyConfigs(join(folder, name), serverConfig)
    }
  } finally {
    await bundler.close()
  }
  const pages = ['infra/pages.js', '--out', join(folder, pagesLambda, 'pages'), ...(isHasty ? ['--hasty'] : [])]
  execFileSync(process.execPath, pages, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  return bundles
}
