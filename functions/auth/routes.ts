import type { Route } from '../http/route.ts'
import { authConfig } from './auth-config.ts'
import { claim } from './claim.ts'
import { claimPage } from './claim-page.ts'
import { login, logout, me, renew } from './login.ts'
import { oauthCallback, oauthStart } from './oauth.ts'
import { ownPermissions } from './own-permissions.ts'
import { changePassword, resetPassword } from './password.ts'
import { register } from './register.ts'
import { createOwnToken, deleteOwnToken, listOwnTokens } from './tokens.ts'

export const authRoutes: readonly Route[] = [
  authConfig,
  login,
  oauthStart,
  oauthCallback,
  me,
  ownPermissions,
  renew,
  logout,
  changePassword,
  register,
  resetPassword,
  listOwnTokens,
  createOwnToken,
  deleteOwnToken,
  claim,
  claimPage,
]
