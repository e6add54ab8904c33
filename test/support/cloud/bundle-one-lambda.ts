import { type LambdaBundle, openLambdaBundler } from '../../../tools/package/bundle-lambda.ts'

/** Bundles one Lambda with its own bundler. */
export const bundleLambda = async (entry: string, folder: string): Promise<LambdaBundle> => {
  const bundler = await openLambdaBundler()
  try {
    return await bundler.bundle(entry, folder)
  } finally {
    await bundler.close()
  }
}
