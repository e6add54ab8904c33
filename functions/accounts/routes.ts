import type { Route } from '../http/route.ts'
import { explain } from './explain.ts'
import { createGrant, deleteGrant } from './grants.ts'
import { createResetLink } from './links/create-reset-link.ts'
import { createInvitation, deleteInvitation, listInvitations } from './links/invitations.ts'
import { listAudit } from './list-audit.ts'
import { listGroups } from './list-groups.ts'
import { mergeUser } from './merge.ts'
import { deleteToken, listTokens } from './tokens.ts'
import { createUser, deleteUser, getUser, listAccountSignIns, listUsers, updateUser } from './users.ts'

export const accountRoutes: readonly Route[] = [
  listUsers,
  createUser,
  getUser,
  listAccountSignIns,
  updateUser,
  deleteUser,
  mergeUser,
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
