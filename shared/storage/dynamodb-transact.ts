import { type TransactWriteItem, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb'
import type { Dynamo } from './dynamodb-client.ts'
import { isConditionMissed } from './dynamodb-fault.ts'

/** The most writes of one transaction. */
export const transactionWritesMax = 10

/** Makes up to 10 writes, all or nothing; whether their conditions held. */
export const transact = async (dynamo: Dynamo, TransactItems: TransactWriteItem[]): Promise<boolean> => {
  try {
    await dynamo.ask((client, options) => client.send(new TransactWriteItemsCommand({ TransactItems }), options))
    return true
  } catch (fault) {
    if (isConditionMissed(fault)) return false
    throw fault
  }
}
