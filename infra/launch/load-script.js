// Runs a bundle as one script, with the code that V8 made of it in a process before: parsing and compiling is half of what a start costs.
import { createHash, randomUUID } from 'node:crypto'
import { closeSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import Module, { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { cachedDataVersionTag } from 'node:v8'
import { Script } from 'node:vm'
import { showSources } from './source-stacks.js'

const hashBytes = 32
const hashOf = (code) => createHash('sha256').update(code).digest()

/** V8 trusts what it made, so half a file, as a power cut leaves it, must not reach it. */
const readCode = (path) => {
  try {
    const kept = readFileSync(path)
    const code = kept.subarray(hashBytes)
    return hashOf(code).equals(kept.subarray(0, hashBytes)) ? code : undefined
  } catch {
    return undefined
  }
}

/** Nothing of this may fail a start. What cannot be written is not made: that costs more than what it saves. */
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
      // It goes with its folder.
    }
  }
}

/**
 * Runs the CommonJS bundle at `path`, which has no `import()`. Answers what it exports, and `keepCode`: it keeps the code of
 * all functions that ran so far for later processes, unless this one was given such code. It is of one version of V8, its flags and the
 * processor.
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
