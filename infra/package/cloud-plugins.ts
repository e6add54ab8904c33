import { resolve } from 'node:path'
import type { Plugin } from 'esbuild'

const root = resolve(import.meta.dirname, '../..')

/** body-parser takes every body as bytes here, so that tables of a hundred character sets would be read for nothing. */
const withoutCharacterSets: Plugin = {
  name: 'without-character-sets',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]iconv-lite[\\/]encodings[\\/]index\.js$/ }, () => ({ contents: 'module.exports = {}' }))
  },
}

/** Packages with native code of the machine that packages, none of which `STORAGE=dynamodb` asks for. */
const native = /^(lmdb|fs-native-extensions|msgpackr-extract|@napi-rs\/nice)$/

/** Whoever comes upon one is told what to set, instead of a package that is missing. */
const withoutNativePackages: Plugin = {
  name: 'without-native-packages',
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: native }, ({ path }) => ({ path, namespace: 'left-out' }))
    onLoad({ filter: /.*/, namespace: 'left-out' }, ({ path }) => ({
      contents: `throw new Error(${JSON.stringify(`${path} is not part of a Lambda: set STORAGE to dynamodb`)})`,
    }))
  },
}

/** Piscina looks for the code of its threads beside itself, which in a bundle is beside the bundle. */
export const piscinaWorker = { in: resolve(root, 'node_modules/piscina/dist/worker.js'), out: 'worker' }

/** What makes of this program one that a Lambda can start fast. */
export const cloudPlugins: readonly Plugin[] = [withoutCharacterSets, withoutNativePackages]
