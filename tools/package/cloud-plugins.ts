import { resolve } from 'node:path'
import type { Plugin } from 'esbuild'

const root = resolve(import.meta.dirname, '../..')

/** body-parser receives only bytes here, so its tables of a hundred character sets are never used. */
const withoutCharacterSets: Plugin = {
  name: 'without-character-sets',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]iconv-lite[\\/]encodings[\\/]index\.js$/ }, () => ({ contents: 'module.exports = {}' }))
  },
}

/** The embedded storage, and packages with native code of the packaging machine. With `STORAGE=dynamodb` nothing needs them. */
const embedded = /[\\/]embedded\.ts$|^(lmdb|fs-native-extensions|msgpackr-extract|@napi-rs\/nice)$/

/** Code that uses an omitted module gets an error with the setting to change. */
const withoutEmbeddedStorage: Plugin = {
  name: 'without-embedded-storage',
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: embedded }, ({ path }) => ({ path, namespace: 'left-out' }))
    onLoad({ filter: /.*/, namespace: 'left-out' }, ({ path }) => ({
      contents: `throw new Error(${JSON.stringify(`${path.split('/').at(-1)} is not part of a Lambda. Set STORAGE to dynamodb`)})`,
    }))
  },
}

/** Piscina looks for its worker code next to itself, which in a bundle is next to the bundle. */
export const piscinaWorker = { in: resolve(root, 'node_modules/piscina/dist/worker.js'), out: 'worker' }

/** The changes that let a Lambda start fast. */
export const cloudPlugins: readonly Plugin[] = [withoutCharacterSets, withoutEmbeddedStorage]
