const { join, sep } = require('node:path')
const { pathToFileURL } = require('node:url')
const { default: Runtime } = require('jest-runtime')

const root = join(__dirname, '..', '..', '..')
/** Modules that each suite loads again: tests, benches and their helpers, and pages, which read their address when they load. */
const namesOfFolders = ['test', 'bench', 'console', 'play']
const foldersOfSuite = namesOfFolders.map((name) => join(root, name) + sep)
const startsOfSuite = [...foldersOfSuite, ...foldersOfSuite.map((folder) => pathToFileURL(folder).href)]

/** Jest's own modules with state of the suite; the others stay loaded. */
const ofSuite = /[\\/]node_modules[\\/](jest-circus|expect|@jest[\\/]expect|jest-snapshot)[\\/]/

/**
 * Replaces the `AsyncLocalStorage` by which jest finds the test of an error. It returns the running test, because tests of a
 * suite never run in parallel. An error that a test leaves behind is reported for the test that runs then. With jest's own
 * storage, Node 20 tracks each promise for the lifetime of the process, once for every storage, which is one per suite.
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

const isOfSuite = (key) =>
  startsOfSuite.some((start) => key.startsWith(start)) || key.includes('@jest/globals') || key.includes('node:process')

const removeOfSuite = (registry, isOne = isOfSuite) => {
  for (const key of registry.keys()) if (isOne(key)) registry.delete(key)
}

const refuse = () => {
  throw new Error('A module cannot be replaced here: suites share them, see docs/architecture/tests.md')
}

class LastingRuntime extends Runtime {
  setMock = refuse
  setModuleMock = refuse
  isolateModules = refuse
  isolateModulesAsync = refuse

  begin(environment, testPath) {
    if (environment !== this._environment) throw new Error('A suite here has no environment of its own')
    // Also drops modules that the ended suite has loaded since.
    this.forget()
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

  forget() {
    const { registries } = this
    removeOfSuite(registries.esModuleRegistry)
    removeOfSuite(registries.moduleRegistry)
    removeOfSuite(registries.internalModuleRegistry, (key) => ofSuite.test(key))
    this.testMainModule.reset()
    this.jestGlobals.clearJestObjectCache()
    this.loggedReferenceErrors.clear()
  }

  teardown() {
    this.restoreAllMocks()
    this.forget()
  }
}

let shared

/**
 * jest's module loader, shared by all suites of a worker; see `shared-environment.cjs`. The modules under test and the packages
 * stay loaded between suites. Tests, their helpers, pages, and modules of jest with state of the suite are loaded again for each
 * suite.
 */
module.exports = function openSharedRuntime(...given) {
  const [, environment, , , , , testPath, { watch, watchAll }] = given
  if (watch || watchAll) return new Runtime(...given)
  shared ??= new LastingRuntime(...given)
  shared.begin(environment, testPath)
  return shared
}

module.exports.foldersLoadedAgain = namesOfFolders
