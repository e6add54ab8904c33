import type { Route } from '../http/route.ts'
import { authConfig } from './auth-config.ts'
import { claim } from './claim.ts'
import { claimPage } from './claim-page.ts'
import { login } from './login.ts'
import { logout } from './logout.ts'
import { me } from './me.ts'
import { oauthCallback } from './oauth-callback.ts'
import { oauthStart } from './oauth-start.ts'
import { ownPermissions } from './own-permissions.ts'
import { changePassword } from './password.ts'
import { register } from './register.ts'
import { renew } from './renew.ts'
import { resetPassword } from './reset-password.ts'
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
