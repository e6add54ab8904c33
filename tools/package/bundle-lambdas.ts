import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { copyConfigs, type LambdaBundle, openLambdaBundler } from './bundle-lambda.ts'

const root = resolve(import.meta.dirname, '../..')

/** Where serverless.yml looks for the bundles, a folder each. */
export const lambdasFolder = join(root, '.build/lambdas')

/** The names of all functions: the folders of functions/ that hold a handler. */
export const listLambdas = (): readonly string[] =>
  readdirSync(join(root, 'functions'))
    .filter((name) => existsSync(join(root, 'functions', name, 'handler.ts')))
    .sort()

/** The default of `server.yaml` for whoever can be reached by all the world. */
export const cloudServerConfig = join(root, 'infra/cloud/server.yaml')

/** The function that answers with pages. */
const pagesLambda = 'service'

export type BundleOptions = {
  /** The default of `server.yaml`, where it is another. */
  readonly serverConfig?: string
  /** Compresses the pages in a fifth of the time, to a tenth more. */
  readonly isHasty?: boolean
}

/** Bundles every function into a folder of its own in `folder`; the sizes by name. The pages for browsers are beside the function that serves them. */
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
