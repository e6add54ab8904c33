import { type TransactWriteItem, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb'
import type { Dynamo } from './dynamodb-client.ts'
import { isConditionMissed, wasRepeated } from './dynamodb-fault.ts'

/** The maximum number of writes in one transaction. */
export const transactionWritesMax = 10

/**
 * Makes up to 10 writes, all or nothing. Returns whether their conditions were met. While the outcome of an attempt is unknown, it is
 * repeated with the same token. So nothing is written twice, and an earlier success is recognized.
 */
export const transact = async (dynamo: Dynamo, TransactItems: TransactWriteItem[]): Promise<boolean> => {
  let ClientRequestToken = dynamo.newToken()
  let isOpen = false
  try {
    await dynamo.ask(async (client, options) => {
      try {
        return await client.send(new TransactWriteItemsCommand({ TransactItems, ClientRequestToken }), options)
      } catch (fault) {
        isOpen ||= wasRepeated(fault)
        if (!isOpen) ClientRequestToken = dynamo.newToken()
        throw fault
      }
    })
    return true
  } catch (fault) {
    if (isConditionMissed(fault)) return false
    throw fault
  }
}
