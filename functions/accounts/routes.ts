import type { Route } from '../http/route.ts'
import { createUser } from './create-user.ts'
import { deleteUser } from './delete-user.ts'
import { getUser } from './get-user.ts'
import { listAudit } from './list-audit.ts'
import { listGroups } from './list-groups.ts'
import { listUsers } from './list-users.ts'
import { updateUser } from './update-user.ts'

export const accountRoutes: readonly Route[] = [listUsers, createUser, getUser, updateUser, deleteUser, listGroups, listAudit]
