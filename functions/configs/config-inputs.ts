import { Type } from '@sinclair/typebox'
import { configNames } from '../../shared/domain/configs/catalogue.ts'

/** Which config file, by its name; one that does not exist is a 404 rather than a fault of the address. */
export const ConfigParams = Type.Object({
  name: Type.String({
    description: 'Name of a config file, slashes and all; a slash written as `%2F` is understood too.',
    examples: configNames,
  }),
})

/** In which a config text is sent. */
export const configMediaTypes = ['application/yaml', 'text/yaml', 'text/plain'] as const

/** In which it is answered (RFC 9512). */
export const configMediaType = 'application/yaml'

export const ConfigContent = Type.String({ description: 'YAML 1.2 in UTF-8, at most 1 MiB.' })

export const SaveEffect = Type.Union([Type.Literal('reload'), Type.Literal('restart')], {
  description: 'What it takes until the whole of the text is in force.',
})
