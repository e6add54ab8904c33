import { Cluster } from 'ioredis'
import type { CallWatch } from '../../tracing/call-watch.ts'
import type { RedisClient } from './redis-client.ts'

/** Tells `watch` of every command of `client` by its name, those of pipelines, transactions and scripts included; of a cluster, with redirections. */
export const watchCommands = (client: RedisClient, watch: CallWatch): void => {
  const follow = ({ name, promise }: { readonly name: string; readonly promise: Promise<unknown> }): void => {
    const done = watch(name)
    promise.then(() => done(), done)
  }
  if (client instanceof Cluster) {
    const send = client.sendCommand.bind(client)
    client.sendCommand = (command, stream, node) => {
      follow(command)
      return send(command, stream, node)
    }
    return
  }
  const send = client.sendCommand.bind(client)
  client.sendCommand = (command, stream) => {
    follow(command)
    return send(command, stream)
  }
}
