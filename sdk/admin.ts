export { type Answer, type Call, type Caller, type CallInput, createCall, type Operation } from './admin/call.ts'
export type { ApiPaths } from './admin/generated/api-paths.ts'
export { readZoneBlocks, type ZoneBlock } from './admin/read-lines.ts'
export * from './errors.ts'
