const { join, sep } = require('node:path')
const { pathToFileURL } = require('node:url')
const { default: Runtime } = require('jest-runtime')

const tests = join(__dirname, '..', '..') + sep
const testsUrl = pathToFileURL(tests).href

/** Jest's own modules that know of the suite; the others stay. */
const ofSuite = /[\\/]node_modules[\\/](jest-circus|expect|@jest[\\/]expect|jest-snapshot)[\\/]/

/**
 * In place of the `AsyncLocalStorage` by which jest knows whose test an error belongs to: no test here runs beside another of its suite.
 * Node 20 follows each promise of a process for as long as it lives, once for every storage that was ever used, which is one a suite.
 */
class StorageInTurn {
  run(store, act) {
    const before = this.store
    this.store = store
    return act().finally(() => {
      this.store = before
    })
  }

  getStore() {
    return this.store
  }
}

/** Whether it belongs to one suite alone: tests, what helps them, and what jest gives them. */
const isOfTests = (key) =>
  key.startsWith(tests) || key.startsWith(testsUrl) || key.includes('@jest/globals') || key.includes('node:process')

const removeTests = (registry) => {
  for (const key of registry.keys()) if (isOfTests(key)) registry.delete(key)
}

class LastingRuntime extends Runtime {
  begin(testPath) {
    this._testPath = testPath
    this.esmLoader.testPath = testPath
    this.executor.testPath = testPath
    this.testState.state = 'loading'
    this.installGetBuiltinModule()
  }

  requireInternalModule(from, to) {
    if (to === 'node:async_hooks') return { AsyncLocalStorage: StorageInTurn }
    return super.requireInternalModule(from, to)
  }

  teardown() {
    this.restoreAllMocks()
    const { registries } = this
    removeTests(registries.esModuleRegistry)
    removeTests(registries.moduleRegistry)
    for (const key of registries.internalModuleRegistry.keys())
      if (ofSuite.test(key)) registries.internalModuleRegistry.delete(key)
    this.testMainModule.reset()
    this.mockState.clear()
    this.jestGlobals.clearJestObjectCache()
    this.loggedReferenceErrors.clear()
  }
}

let shared

/**
 * jest's loader of modules, one for all suites of a worker; see `shared-environment.cjs`. What is tested and the packages stay loaded from
 * one suite to the next. Tests, what helps them, and what of jest knows of the suite are loaded anew for each.
 */
module.exports = function openSharedRuntime(...given) {
  const [testPath, { watch, watchAll }] = given.slice(6)
  if (watch || watchAll) return new Runtime(...given)
  shared ??= new LastingRuntime(...given)
  shared.begin(testPath)
  return shared
}
