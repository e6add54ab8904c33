import { type LambdaBundle, openLambdaBundler } from '../../../tools/package/bundle-lambda.ts'

/** Writes one Lambda, as a bundler of its own does. */
export const bundleLambda = async (entry: string, folder: string): Promise<LambdaBundle> => {
  const bundler = await openLambdaBundler()
  try {
    return await bundler.bundle(entry, folder)
  } finally {
    await bundler.close()
  }
}
