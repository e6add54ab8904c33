import { Type } from '@sinclair/typebox'
import { configNames } from '../../shared/domain/configs/catalogue.ts'

/** A config file by its name. An unknown one is a 404, not an invalid address. */
export const ConfigParams = Type.Object({
  name: Type.String({
    description: 'Name of a config file, with its slashes. `%2F` works as a slash too.',
    examples: configNames,
  }),
})

/** Media types in which a config text is sent. */
export const configMediaTypes = ['application/yaml', 'text/yaml', 'text/plain'] as const

/** Media type in which it is returned (RFC 9512). */
export const configMediaType = 'application/yaml'

export const ConfigContent = Type.String({ description: 'YAML 1.2 in UTF-8, at most 1 MiB.' })

export const SaveEffect = Type.Union([Type.Literal('reload'), Type.Literal('restart')], {
  description: 'The effect that applies the whole text.',
})
