import type { Route } from '../http/route.ts'
import { createSanction } from './create-sanction.ts'
import { endSanction } from './end-sanction.ts'
import { listSanctions } from './list-sanctions.ts'

export const sanctionRoutes: readonly Route[] = [listSanctions, createSanction, endSanction]
