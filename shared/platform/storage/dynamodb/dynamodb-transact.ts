import { type TransactWriteItem, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb'
import type { Dynamo } from './dynamodb-client.ts'
import { isConditionMissed, wasRepeated } from './dynamodb-fault.ts'

/** The most writes of one transaction. */
export const transactionWritesMax = 10

/**
 * Makes up to 10 writes, all or nothing; whether their conditions held. While the outcome of an earlier sending is unknown, it is sent
 * under the same token. So nothing is done twice, and what was done is not taken for somebody else's.
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
