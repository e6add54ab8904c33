import { endSharedDynamo } from '../dynamodb/share-dynamodb.js'
import { removeThreadBundles } from './thread-bundles.js'

export default async function afterAll() {
  await endSharedDynamo()
  await removeThreadBundles()
}
