import type { Route } from '../http/route.ts'
import { listClasses, listSkills, listUnlocks } from './classes.ts'

export const classRoutes: readonly Route[] = [listUnlocks, listClasses, listSkills]
