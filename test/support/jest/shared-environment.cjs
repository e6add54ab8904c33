const vm = require('node:vm')
const { TestEnvironment } = require('jest-environment-node')
const { installCommonGlobals } = require('jest-util')

/** Where `expect` keeps what a suite adds to it. */
const matchers = Symbol.for('$$jest-matchers-object')

class PlainEnvironment extends TestEnvironment {
  constructor(...given) {
    const { createContext } = vm
    // The constructor of jest's environment makes the context and offers no other way to choose it.
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY)
    try {
      super(...given)
    } finally {
      vm.createContext = createContext
    }
    this.made = Object.getOwnPropertyDescriptors(this.global)
  }

  /** Brings the global object back to what it was before the first suite. */
  clean() {
    const { global, made } = this
    this.fakeTimersModern.useRealTimers()
    for (const name of Object.getOwnPropertyNames(global)) if (!(name in made)) Reflect.deleteProperty(global, name)
    for (const [name, before] of Object.entries(made)) {
      const now = Object.getOwnPropertyDescriptor(global, name)
      // One of Node's own is looked up when it is first asked for.
      const isUsual =
        now !== undefined &&
        ((now.get !== undefined && now.get === before.get) || now.value === ('value' in before ? before.value : globalThis[name]))
      if (before.configurable && name !== 'console' && !isUsual) Object.defineProperty(global, name, before)
    }
    // What jest keeps there for a suite: who listens to its events, above all.
    for (const symbol of Object.getOwnPropertySymbols(global))
      if (/jest|EVENT_HANDLERS|RETRY|TIMEOUT/i.test(symbol.description ?? '')) Reflect.deleteProperty(global, symbol)
    // That of its matchers cannot be deleted.
    Object.assign(global[matchers] ?? {}, { matchers: Object.create(null), customEqualityTesters: [] })
    const counted = { assertionCalls: 0, expectedAssertionsNumber: null, isExpectingAssertions: false }
    Object.assign(global[matchers]?.state ?? {}, counted, { numPassingAsserts: 0, suppressedErrors: [] })
    // With variables of its own, which a suite may change.
    global.process = installCommonGlobals({ Symbol, Date }, {}).process
  }

  async teardown() {
    if (this === shared) this.fakeTimersModern.useRealTimers()
    else await super.teardown()
  }
}

let shared

/**
 * jest's environment for Node, one for all suites of a worker: with `shared-runtime.cjs`, what they test is loaded once and not anew for
 * each of them, and stays compiled. Its global object is a plain one. In jest's own, each look at a global, `Map` or `Math`, asks a Proxy
 * that jest hands to `node:vm`: 0.25 microseconds, a thousand times what it costs in a process of its own.
 */
module.exports = function openSharedEnvironment(config, context) {
  const { watch, watchAll } = config.globalConfig
  // What was loaded for the run before may have been changed since.
  if (watch || watchAll) return new PlainEnvironment(config, context)
  shared?.clean()
  shared ??= new PlainEnvironment(config, context)
  return shared
}
