import { afterEach, describe, expect, it } from '@jest/globals'
import { hashSync } from 'bcryptjs'
import { runPasswordJob } from '../../../../shared/domain/passwords/password-worker.ts'
import {
  createPasswordHasher,
  type PasswordHasher,
  type PasswordHasherOptions,
  validatePassword,
} from '../../../../shared/domain/passwords/passwords.ts'
import { createSlowestCost } from '../../../../shared/domain/passwords/slowest-cost.ts'
import { createMemoryStore } from '../../../../shared/platform/storage/memory-store.ts'
import { createFixedClock } from '../../../support/time/fixed-clock.ts'
import { silentLog } from '../../../support/time/silent-log.ts'

const pad = (cost: number): string => String(cost).padStart(2, '0')

const opened: PasswordHasher[] = []
const openHasher = (options: Partial<PasswordHasherOptions> = {}): PasswordHasher => {
  const hasher = createPasswordHasher({ threads: 1, cost: 4, ...options })
  opened.push(hasher)
  return hasher
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((hasher) => hasher.close()))
})

const settle = async (promises: readonly Promise<unknown>[]) => {
  const results = await Promise.allSettled(promises)
  return results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
}

describe('createPasswordHasher', () => {
  it('accepts the right password only, and salts every hash', async () => {
    const hasher = openHasher()
    const [one, two] = await Promise.all([hasher.hash('correct horse', 'ann'), hasher.hash('correct horse', 'ann')])
    expect(one).toMatch(/^\$2[aby]\$04\$/)
    expect(one).not.toBe(two)
    expect(await hasher.verify('correct horse', one, 'ann')).toBe(true)
    expect(await hasher.verify('correct horse', two, 'ann')).toBe(true)
    expect(await hasher.verify('correct horsf', one, 'ann')).toBe(false)
    expect(await hasher.verify('', one, 'ann')).toBe(false)
  })

  it('verifies hashes of other bcrypt programs, short passwords and other costs included', async () => {
    const hasher = openHasher()
    for (const prefix of ['$2a$', '$2b$', '$2y$'])
      expect(await hasher.verify('pass', hashSync('pass', `${prefix}05$abcdefghijklmnopqrstuu`), 'ann')).toBe(true)
  })

  it('accepts a password in any Unicode form, and hashes the composed one', async () => {
    const hasher = openHasher()
    const [composed, decomposed] = ['p\u00e4sswort', 'pa\u0308sswort']
    const hash = await hasher.hash(decomposed, '192.0.2.1')
    expect([await hasher.prove(composed, hash, '192.0.2.1'), await hasher.prove(decomposed, hash, '192.0.2.1')]).toEqual([
      'right',
      'right',
    ])
    const old = hashSync(decomposed, 4)
    expect([await hasher.prove(composed, old, '192.0.2.1'), await hasher.prove(decomposed, old, '192.0.2.1')]).toEqual([
      'wrong',
      'stale',
    ])
    expect([await hasher.verify(decomposed, old, '192.0.2.1'), await hasher.verify(`${decomposed}x`, old, '192.0.2.1')]).toEqual([
      true,
      false,
    ])
  })

  it('reports a hash of another cost than the configured one as stale', async () => {
    const hasher = openHasher({ cost: 5 })
    expect(await hasher.prove('correct horse', hashSync('correct horse', 4), '192.0.2.1')).toBe('stale')
    expect(await hasher.prove('correct horsf', hashSync('correct horse', 4), '192.0.2.1')).toBe('wrong')
    expect(await hasher.prove('correct horse', hashSync('correct horse', 5), '192.0.2.1')).toBe('right')
  })

  it('takes as long for a hash of a lower cost, and for none, as for the highest cost in use', () => {
    const timeOf = (salt: string): number => {
      const before = process.cpuUsage()
      runPasswordJob({ forms: ['correct horse'], salt, cost: 10 })
      return process.cpuUsage(before).user
    }
    // Measures alternately and takes the minimum of each, because the machine runs other work too.
    const times = Array.from({ length: 10 }, () => [10, 8].map((cost) => timeOf(`$2b$${pad(cost)}$abcdefghijklmnopqrstuu`)))
    const [whole = 0, padded = 0] = [0, 1].map((at) => Math.min(...times.map((pair) => pair[at] ?? 0)))
    expect(padded / whole).toBeGreaterThan(0.7)
    expect(padded / whole).toBeLessThan(1.4)
  })

  it('remembers the highest cost of all hashes so far', async () => {
    const store = createMemoryStore()
    const clock = createFixedClock(0)
    const open = () => createSlowestCost({ store, clock, log: silentLog })
    const hasher = openHasher({ cost: 4, slowestCost: open() })
    await hasher.verify('correct horse', hashSync('correct horse', 6), '192.0.2.1')
    expect(await open().find()).toBe(6)
    clock.advance(31 * 86_400_000)
    expect(await open().find()).toBe(0)
  })

  it('uses the current cost setting for new hashes', async () => {
    let cost = 4
    const hasher = openHasher({ cost: () => cost })
    cost = 5
    expect(await hasher.hash('correct horse', 'ann')).toMatch(/^\$2[aby]\$05\$/)
  })

  it.each([
    ['no hash', undefined],
    ['an empty one', ''],
    ['text', 'correct horse'],
    ['a cut one', '$2b$04$712f7vAUDjCwiWJrhqn8bOVTB6smz1EoFCktnt1SD7PiSpu5X'],
    ['a hash of another kind', '$argon2id$v=19$m=65536,t=3,p=4$c29tZXNhbHQ$RdescudvJCsgt3ub+b4dWRWJTmaMLT2Zo2V9BBQ'],
    ['one that would take for days', '$2b$31$712f7vAUDjCwiWJrhqn8bOVTB6smz1EoFCktnt1SD7PiSpu5XSIIC'],
    ['a cost below the minimum', '$2b$00$712f7vAUDjCwiWJrhqn8bOVTB6smz1EoFCktnt1SD7PiSpu5XSIIC'],
  ])('returns false for %s, with the work of a real comparison', async (_name, hash) => {
    const hasher = openHasher({ queueMax: 0 })
    const [busy] = await settle([hasher.verify('correct horse', hash, 'ann'), hasher.hash('correct horse', 'ann')])
    expect(busy).toMatchObject({ slug: 'hashing-busy' })
    expect(await hasher.verify('correct horse', hash, 'ann')).toBe(false)
  })

  it('never accepts the first 72 bytes of a longer password', async () => {
    const hasher = openHasher()
    const longest = 'é'.repeat(36)
    const hash = await hasher.hash(longest, 'ann')
    expect(await hasher.verify(longest, hash, 'ann')).toBe(true)
    expect(await hasher.verify(`${longest}x`, hash, 'ann')).toBe(false)
    expect(await hasher.verify('x'.repeat(1_000_000), hash, 'ann')).toBe(false)
    expect(await hasher.verify(`${'y'.repeat(8)}\0`, hashSync(`${'y'.repeat(8)}\0`, 4), 'ann')).toBe(false)
  })

  it('refuses calls when the queue is full, finishes the rest, and accepts calls afterwards', async () => {
    const hasher = openHasher({ queueMax: 3 })
    const refused = await settle(Array.from({ length: 10 }, () => hasher.hash('correct horse', 'ann')))
    expect(refused).toHaveLength(6)
    for (const error of refused)
      expect(error).toMatchObject({ kind: 'unavailable', slug: 'hashing-busy', retryAfterSeconds: expect.any(Number) })
    expect(await hasher.hash('correct horse', 'ann')).toMatch(/^\$2/)
  })

  it('is fair: a flood from one block does not delay or refuse another block', async () => {
    const hasher = openHasher({ queueMax: 8 })
    let done = 0
    const flood = [1, 2].flatMap((block) =>
      Array.from({ length: 20 }, () => hasher.hash('correct horse', `2001:db8:0:${block}::7`).then(() => (done += 1))),
    )
    const refused = settle(flood)
    await hasher.hash('correct horse', '2001:db8:0:3::7')
    expect(done).toBeLessThanOrEqual(3)
    expect((await refused).every(({ slug }) => slug === 'hashing-busy')).toBe(true)
  })

  it('finishes the queue when it closes, and refuses later calls', async () => {
    const hasher = openHasher()
    const hashes = Promise.all(Array.from({ length: 5 }, () => hasher.hash('correct horse', 'ann')))
    await hasher.close()
    expect(await hashes).toHaveLength(5)
    await expect(hasher.verify('correct horse', undefined, 'ann')).rejects.toMatchObject({ slug: 'hashing-busy' })
  })

  it('does not block the event loop while it hashes', async () => {
    const hasher = openHasher()
    let turns = 0
    let done = false
    const count = () => {
      turns += 1
      if (!done) setImmediate(count)
    }
    const hashes = Promise.all(Array.from({ length: 20 }, (_, at) => hasher.hash('correct horse', `${at}`)))
    count()
    await hashes
    done = true
    expect(turns).toBeGreaterThan(100)
  })
})

describe('validatePassword', () => {
  it.each([
    ['8 bytes', '12345678'],
    ['72 bytes', 'x'.repeat(72)],
    ['four letters of two bytes', 'äöüß'],
    ['36 letters that are 72 bytes once composed', 'a\u0308'.repeat(36)],
    ['spaces', '        '],
  ])('accepts %s', (_name, password) => {
    expect(() => validatePassword(password)).not.toThrow()
  })

  it.each([
    ['nothing', '', 'at least 8 bytes'],
    ['7 bytes', '1234567', 'at least 8 bytes'],
    ['three letters that are 9 bytes until they are composed', 'a\u0308'.repeat(3), 'at least 8 bytes'],
    ['73 bytes', 'x'.repeat(73), 'at most 72 bytes'],
    ['37 letters of two bytes', 'é'.repeat(37), 'at most 72 bytes'],
    ['NUL', 'correct\0horse', 'NUL'],
  ])('refuses %s and names the fault, never the password', (_name, password, fault) => {
    const message = expect.stringContaining(fault)
    expect(() => validatePassword(password)).toThrow(
      expect.objectContaining({
        kind: 'invalid',
        slug: 'bad-request',
        publicDetail: message,
        errors: [{ pointer: '/password', message }],
      }),
    )
  })
})
