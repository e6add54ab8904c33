// Runs a bundle as one script, with the compiled code that V8 cached in an earlier process: parsing and compiling is half of
// the cost of a start.
import { createHash, randomUUID } from 'node:crypto'
import { closeSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import Module, { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { cachedDataVersionTag } from 'node:v8'
import { Script } from 'node:vm'
import { showSources } from './source-stacks.js'

const hashBytes = 32
const hashOf = (code) => createHash('sha256').update(code).digest()

/** V8 trusts its cached code, so a file that a power cut truncated must not reach it. */
const readCode = (path) => {
  try {
    const kept = readFileSync(path)
    const code = kept.subarray(hashBytes)
    return hashOf(code).equals(kept.subarray(0, hashBytes)) ? code : undefined
  } catch {
    return undefined
  }
}

/** The cache must not fail a start. If it cannot be written, it is skipped. */
const writeCode = (path, script) => {
  const made = `${path}.${randomUUID()}`
  try {
    const file = openSync(made, 'wx')
    try {
      const code = script.createCachedData()
      writeFileSync(file, hashOf(code))
      writeFileSync(file, code)
    } finally {
      closeSync(file)
    }
    renameSync(made, path)
  } catch {
    try {
      rmSync(made, { force: true })
    } catch {
      // It is deleted with its folder.
    }
  }
}

/**
 * Runs the CommonJS bundle at `path`, which has no `import()`. Returns its exports, and `keepCode`, which caches the compiled
 * code of all functions that have run for later processes, unless this process used such a cache. The cache is valid for one
 * version of V8, its flags and the processor.
 */
export const loadScript = (path) => {
  const codePath = `${path}.${cachedDataVersionTag().toString(36)}.code`
  const cachedData = readCode(codePath)
  const script = new Script(Module.wrap(readFileSync(path, 'utf8')), { filename: path, cachedData })
  showSources(path)
  const module = { exports: {} }
  const run = script.runInThisContext({ displayErrors: false })
  run.call(module.exports, module.exports, createRequire(path), module, path, dirname(path))
  const isKept = cachedData !== undefined && script.cachedDataRejected === false
  return { exports: module.exports, keepCode: () => (isKept ? undefined : writeCode(codePath, script)) }
}
