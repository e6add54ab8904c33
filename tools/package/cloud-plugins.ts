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

/** The storage of a laptop, and packages with native code of the machine that packages: with `STORAGE=dynamodb` nothing needs them. */
const embedded = /[\\/]embedded\.ts$|^(lmdb|fs-native-extensions|msgpackr-extract|@napi-rs\/nice)$/

/** Whoever comes upon what is left out is told what to set, instead of something that is missing. */
const withoutEmbeddedStorage: Plugin = {
  name: 'without-embedded-storage',
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: embedded }, ({ path }) => ({ path, namespace: 'left-out' }))
    onLoad({ filter: /.*/, namespace: 'left-out' }, ({ path }) => ({
      contents: `throw new Error(${JSON.stringify(`${path.split('/').at(-1)} is no part of a Lambda: set STORAGE to dynamodb`)})`,
    }))
  },
}

/** Piscina looks for the code of its threads beside itself, which in a bundle is beside the bundle. */
export const piscinaWorker = { in: resolve(root, 'node_modules/piscina/dist/worker.js'), out: 'worker' }

/** What makes of this program one that a Lambda can start fast. */
export const cloudPlugins: readonly Plugin[] = [withoutCharacterSets, withoutEmbeddedStorage]
