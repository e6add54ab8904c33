import { describe, expect, it } from '@jest/globals'
import { parseRedisUrl } from '../../../../../shared/platform/storage/redis/redis-url.ts'

const single = { kind: 'single', db: 0, tls: false }

describe('the address of a Redis', () => {
  it.each([
    ['redis://localhost', { ...single, nodes: [{ host: 'localhost', port: 6379 }] }],
    ['redis://127.0.0.1:7000/3', { ...single, nodes: [{ host: '127.0.0.1', port: 7000 }], db: 3 }],
    ['redis://[::1]:7000/', { ...single, nodes: [{ host: '::1', port: 7000 }] }],
    ['redis://:p%40ss%2F@cache', { ...single, nodes: [{ host: 'cache', port: 6379 }], password: 'p@ss/' }],
    [
      'rediss://ann:secret@cache:1',
      { ...single, nodes: [{ host: 'cache', port: 1 }], username: 'ann', password: 'secret', tls: true },
    ],
    ['unix:///run/redis/a%20b.sock', { ...single, nodes: [], path: '/run/redis/a b.sock' }],
    [
      'redis+cluster://ann:secret@a:1,b,[::2]:3',
      {
        kind: 'cluster',
        nodes: [
          { host: 'a', port: 1 },
          { host: 'b', port: 6379 },
          { host: '::2', port: 3 },
        ],
        username: 'ann',
        password: 'secret',
        db: 0,
        tls: false,
      },
    ],
    [
      'rediss+cluster://cache.example.com',
      { kind: 'cluster', nodes: [{ host: 'cache.example.com', port: 6379 }], db: 0, tls: true },
    ],
    [
      'redis+sentinel://:secret@a,b:2/main',
      {
        kind: 'sentinel',
        nodes: [
          { host: 'a', port: 26_379 },
          { host: 'b', port: 2 },
        ],
        name: 'main',
        password: 'secret',
        db: 0,
        tls: false,
      },
    ],
  ])('reads %s', (url, target) => {
    expect(parseRedisUrl(url)).toEqual(target)
  })

  it.each([
    '',
    'localhost:6379',
    'http://secret@localhost',
    'redis://',
    'redis://secret@',
    'redis://a:0',
    'redis://a:secret',
    'redis://a:65536',
    'redis://a/secret',
    'redis://a,b:secret',
    'redis://a,b',
    'redis://a/1/2',
    'redis://a?secret=1',
    'redis://%zz:secret%zz@a',
    'redis+cluster://',
    'redis+cluster://a,',
    'redis+cluster://a/1',
    'redis+sentinel://secret',
    'redis+sentinel://a/',
    'redis+secret://a',
    'unix://relative/secret',
    'unix:///',
  ])('refuses %j without repeating it', (url) => {
    expect(() => parseRedisUrl(url)).toThrow(
      expect.objectContaining({ kind: 'invalid', publicDetail: expect.not.stringContaining('secret') }),
    )
  })
})
