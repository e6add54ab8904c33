const { appendFileSync, readFileSync } = require('node:fs')
const { relative } = require('node:path')
const vm = require('node:vm')
const { TestEnvironment } = require('jest-environment-node')
const { installCommonGlobals } = require('jest-util')

/** The key under which `expect` keeps matchers of a suite. */
const matchers = Symbol.for('$$jest-matchers-object')

const timesPath = process.env.GATEHOUSE_SUITE_TIMES

/** Returns the processor seconds of this process, and of its child processes that have ended; see proc_pid_stat(5). */
const readSeconds = () => {
  const stat = readFileSync('/proc/self/stat', 'latin1')
  const [user, system, userOfChildren, systemOfChildren] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15)
  return { own: (Number(user) + Number(system)) / 100, children: (Number(userOfChildren) + Number(systemOfChildren)) / 100 }
}

let counted = { own: 0, children: 0 }

/** Adds a line to the file named by `GATEHOUSE_SUITE_TIMES`: the suite's processor seconds, of the worker and of its children. */
const noteTime = (testPath) => {
  if (timesPath === undefined) return
  const now = readSeconds()
  const [own, children] = [now.own - counted.own, now.children - counted.children]
  appendFileSync(timesPath, `${own.toFixed(2)} ${children.toFixed(2)} ${relative(process.cwd(), testPath)}\n`)
  counted = now
}

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

  /** Restores the global object to its state before the first suite. */
  clean() {
    const { global, made } = this
    this.fakeTimersModern.useRealTimers()
    for (const name of Object.getOwnPropertyNames(global)) if (!(name in made)) Reflect.deleteProperty(global, name)
    for (const [name, before] of Object.entries(made)) {
      const now = Object.getOwnPropertyDescriptor(global, name)
      // Node resolves its own globals lazily, on the first access.
      const isUsual =
        now !== undefined &&
        ((now.get !== undefined && now.get === before.get) || now.value === ('value' in before ? before.value : globalThis[name]))
      if (before.configurable && name !== 'console' && !isUsual) Object.defineProperty(global, name, before)
    }
    // State that jest keeps there for a suite, mainly its event listeners.
    for (const symbol of Object.getOwnPropertySymbols(global))
      if (/jest|EVENT_HANDLERS|RETRY|TIMEOUT/i.test(symbol.description ?? '')) Reflect.deleteProperty(global, symbol)
    // The property of the matchers cannot be deleted.
    Object.assign(global[matchers] ?? {}, { matchers: Object.create(null), customEqualityTesters: [] })
    const counted = { assertionCalls: 0, expectedAssertionsNumber: null, isExpectingAssertions: false }
    Object.assign(global[matchers]?.state ?? {}, counted, { numPassingAsserts: 0, suppressedErrors: [] })
    // The process gets its own variables, which a suite may change.
    global.process = installCommonGlobals({ Symbol, Date }, {}).process
  }

  async teardown() {
    noteTime(this.testPath)
    if (this === shared) this.fakeTimersModern.useRealTimers()
    else await super.teardown()
  }
}

let shared

/**
 * jest's environment for Node, shared by all suites of a worker. With `shared-runtime.cjs`, the modules under test are loaded
 * once and stay compiled. The global object is a plain one. In jest's own environment, each access to a global such as `Map` or
 * `Math` goes through a Proxy that jest passes to `node:vm`. That costs 0.25 microseconds, a thousand times more than in a normal
 * process.
 */
module.exports = function openSharedEnvironment(config, context) {
  const { watch, watchAll } = config.globalConfig
  // Modules may have changed since the last run.
  if (watch || watchAll) return new PlainEnvironment(config, context)
  shared?.clean()
  shared ??= new PlainEnvironment(config, context)
  shared.testPath = context.testPath
  return shared
}
