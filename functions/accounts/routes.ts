import type { Route } from '../http/route.ts'
import { createGrant } from './create-grant.ts'
import { createUser } from './create-user.ts'
import { deleteGrant } from './delete-grant.ts'
import { deleteUser } from './delete-user.ts'
import { explain } from './explain.ts'
import { getUser } from './get-user.ts'
import { createResetLink } from './links/create-reset-link.ts'
import { createInvitation, deleteInvitation, listInvitations } from './links/invitations.ts'
import { listAccountSignIns } from './list-account-sign-ins.ts'
import { listAudit } from './list-audit.ts'
import { listGroups } from './list-groups.ts'
import { listUsers } from './list-users.ts'
import { deleteToken, listTokens } from './tokens.ts'
import { updateUser } from './update-user.ts'

export const accountRoutes: readonly Route[] = [
  listUsers,
  createUser,
  getUser,
  listAccountSignIns,
  updateUser,
  deleteUser,
  createGrant,
  deleteGrant,
  createResetLink,
  listInvitations,
  createInvitation,
  deleteInvitation,
  listGroups,
  listAudit,
  explain,
  listTokens,
  deleteToken,
]
