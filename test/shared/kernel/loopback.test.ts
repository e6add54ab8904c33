import { describe, expect, it } from '@jest/globals'
import { isLoopbackHost, isWithinMachine } from '../../../shared/kernel/loopback.ts'

describe('a server', () => {
  it.each([
    ['127.0.0.1', 'http://127.0.0.1:3000', true],
    ['localhost', 'http://localhost:3000', true],
    ['::1', 'http://[::1]:3000', true],
    ['0.0.0.0', 'http://127.0.0.1:3000', false],
    ['::', 'http://[::1]:3000', false],
    ['192.168.0.2', 'http://192.168.0.2:3000', false],
    ['127.0.0.1', 'https://game.example.org', false],
    ['127.0.0.1', 'http://127.0.0.1.evil.test', false],
    ['127.0.0.1', 'nonsense', false],
  ])('on %s that is known as %s is for its machine only: %s', (host, baseUrl, isWithin) => {
    expect(isWithinMachine({ host, baseUrl })).toBe(isWithin)
  })
})

describe('a Host header', () => {
  it.each([
    ['127.0.0.1:3000', true],
    ['LOCALHOST', true],
    ['[::1]:80', true],
    ['game.example.org', false],
    ['a b', false],
    [undefined, false],
  ])('%s names this machine: %s', (host, isLoopback) => {
    expect(isLoopbackHost(host)).toBe(isLoopback)
  })
})
