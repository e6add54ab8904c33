import { builtInAdmin } from './built-in-admin.ts'
import { compileRules } from './compile-rules.ts'
import type { RuleSet } from './rules.ts'

/** The rules of the built-in group `admin`: what whoever sits at the machine may do by the command line. */
export const operatorRules: RuleSet = compileRules(new Map(), [builtInAdmin.name])
