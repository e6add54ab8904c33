import { networkInterfaces } from 'node:os'
import { describe, expect, it } from '@jest/globals'
import { findNodeAddresses } from '../../../../shared/domain/presence/node-directory.ts'

const nothingSet = { nodeUrl: undefined, nodeInternalUrl: undefined }

describe('the address of a node', () => {
  it('is that of the environment', () => {
    const set = { nodeUrl: 'https://eu-1.example.org', nodeInternalUrl: 'http://10.0.0.7:3001' }
    expect(findNodeAddresses({ host: '0.0.0.0', ...set }, 3001)).toEqual({
      url: set.nodeUrl,
      internalUrl: set.nodeInternalUrl,
    })
  })

  it.each([
    ['127.0.0.1', 'http://127.0.0.1:4000'],
    ['::1', 'http://[::1]:4000'],
    ['node-1.internal', 'http://node-1.internal:4000'],
  ])('is that of its listener on %s', (host, own) => {
    expect(findNodeAddresses({ host, ...nothingSet }, 4000)).toEqual({ url: own, internalUrl: own })
  })

  it.each(['0.0.0.0', '::'])('is an address of the machine that others can reach when it listens on all, %s', (host) => {
    const { internalUrl } = findNodeAddresses({ host, ...nothingSet }, 4000)
    const { hostname } = new URL(internalUrl)
    const addresses = Object.values(networkInterfaces()).flatMap((some) => some ?? [])
    const own = addresses.find(({ address }) => address === hostname.replace(/^\[|\]$/g, ''))
    expect(own?.internal).toBe(!addresses.some(({ internal, address }) => !internal && !address.startsWith('fe80:')))
  })
})
