export { endSharedDynamo as default } from './share-dynamodb.js'
