import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { decideNext } from '../../sdk/connection/decide-next.ts'
import { ask } from '../../sdk/http/ask.ts'
import { signIn } from '../../sdk/sign-in/sign-in.ts'
import { listSources, readImports, readSource } from '../support/architecture/import-graph.ts'

/** Features that Safari 16.4 or Chrome 109 lack. */
const younger =
  /URL\.(canParse|parse)\(|AbortSignal\.(any|timeout)\(|\.(toSorted|toReversed|toSpliced|with|isSubsetOf|isSupersetOf|union|intersection|difference|findLast\w*)\(|\b(Array\.fromAsync|Promise\.(withResolvers|try)|(Object|Map)\.groupBy|Iterator\.from)\(|\.(keys|values|entries)\(\)\.(map|filter|take|drop|toArray|some|every|find|reduce|forEach)\(/
/** Files that check for the feature first. */
const asking = ['sdk/http/ask.ts']

/** These sources and their imports, including code of the server: rules of bodies, chunks. */
const reachedFrom = (sources: readonly string[]): ReadonlySet<string> => {
  const reached = new Set(sources)
  for (const source of reached)
    for (const { target, isType } of readImports(source)) if (!isType && /\.tsx?$/.test(target)) reached.add(target)
  return reached
}

describe('a browser of the year 2023', () => {
  const { canParse } = URL
  const { any } = AbortSignal
  beforeEach(() => {
    Reflect.deleteProperty(URL, 'canParse')
    Reflect.deleteProperty(AbortSignal, 'any')
  })
  afterEach(() => {
    Object.assign(URL, { canParse })
    Object.assign(AbortSignal, { any })
  })

  it('reports an invalid address, and follows a hand-over', async () => {
    await expect(signIn({ url: 'elsewhere', email: 'ann@example.com' })).rejects.toMatchObject({ type: 'invalid-address' })
    const kick = { code: 'going-away', reason: '', resumeUrl: 'http://127.0.0.1:3001' }
    expect(decideNext({ code: 1001, reason: '', kick }, 'http://127.0.0.1:3000', 'token')).toMatchObject({ url: kick.resumeUrl })
  })

  it('ends a request with the reason of its signal, before and during the answer', async () => {
    const fetch = (_url: string, { signal }: RequestInit = {}) =>
      new Promise<Response>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
    const stop = new AbortController()
    const asked = ask({ fetch, url: 'http://fake.invalid', path: '/', signal: stop.signal })
    stop.abort(new Error('enough'))
    await expect(asked).rejects.toThrow('enough')
    await expect(ask({ fetch, url: 'http://fake.invalid', path: '/', signal: stop.signal })).rejects.toThrow('enough')
  })
})

it('has every feature that the game and its library use', () => {
  const own = [...listSources('sdk'), ...listSources('play')].filter((source) => !/^sdk\/(testing|examples)\//.test(source))
  const used = [...reachedFrom(own)]
    .filter((source) => !asking.includes(source))
    .filter((source) => younger.test(readSource(source)))
  expect(reachedFrom(own).size).toBeGreaterThan(own.length + 10)
  expect(used).toEqual([])
})
