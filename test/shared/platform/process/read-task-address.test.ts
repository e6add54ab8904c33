import { once } from 'node:events'
import { createServer } from 'node:http'
import { describe, expect, it } from '@jest/globals'
import { AppError } from '../../../../shared/kernel/errors.ts'
import { addTaskAddress } from '../../../../shared/platform/process/read-task-address.ts'

/** Serves the metadata of ECS on this machine while `use` runs. */
const withMetadata = async <T>(status: number, body: string, use: (url: string) => Promise<T>): Promise<T> => {
  const server = createServer((_req, res) => res.writeHead(status).end(body)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  try {
    return await use(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v4/an-id`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const metadata = JSON.stringify({
  Name: 'realtime',
  Networks: [{ NetworkMode: 'awsvpc', IPv4Addresses: ['10.42.129.7'], IPv4SubnetCIDRBlock: '10.42.129.0/24' }],
})

describe('the address of a container in ECS', () => {
  it('is read from ECS, with the port of the node', async () => {
    await withMetadata(200, metadata, async (url) => {
      const raw = { ECS_CONTAINER_METADATA_URI_V4: url, PORT: '3100', HOST: '0.0.0.0' }
      expect(await addTaskAddress(raw)).toEqual({ ...raw, NODE_INTERNAL_URL: 'http://10.42.129.7:3100' })
      expect(await addTaskAddress({ ...raw, PORT: undefined })).toMatchObject({ NODE_INTERNAL_URL: 'http://10.42.129.7:3001' })
    })
  })

  it('is read nowhere else, and not when it is set', async () => {
    expect(await addTaskAddress({ PORT: '1' })).toEqual({ PORT: '1' })
    const given = { ECS_CONTAINER_METADATA_URI_V4: 'http://127.0.0.1:1', NODE_INTERNAL_URL: 'http://a:1' }
    expect(await addTaskAddress(given)).toBe(given)
  })

  it.each([
    ['an error', 500, metadata],
    ['something else', 200, '{"Networks":"none"}'],
    ['no address', 200, '{"Networks":[{"IPv4Addresses":[]}]}'],
    ['a name', 200, '{"Networks":[{"IPv4Addresses":["a.example/"]}]}'],
    ['no JSON', 200, '<html>'],
  ])('stops the start with the variable to set when ECS answers with %s', async (_what, status, body) => {
    await withMetadata(status, body, async (url) => {
      const refused = addTaskAddress({ ECS_CONTAINER_METADATA_URI_V4: url })
      await expect(refused).rejects.toThrow(AppError)
      await expect(refused).rejects.toMatchObject({ publicDetail: expect.stringContaining('NODE_INTERNAL_URL') })
    })
  })
})
