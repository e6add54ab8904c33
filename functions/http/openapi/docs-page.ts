import { escapeHtml } from '../answer/escape-html.ts'
import { createCurl } from './docs-curl.ts'
import type { Openapi, Operation, Parameter } from './openapi.ts'

/** Escaped, with text between backticks as code. */
const prose = (text: string): string => escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')

/** A schema as escaped text, with its references as links to the types of this page. */
const linked = (text: string): string =>
  escapeHtml(text).replaceAll(/#\/components\/schemas\/(\w+)/g, '<a href="#type-$1">$1</a>')

const schemaBlock = (schema: object): string => `<pre>${linked(JSON.stringify(schema, null, 2))}</pre>`

const renderParameter = ({ name, in: place, required, schema, description }: Parameter): string =>
  `<dt><code>${escapeHtml(name)}</code> <small>${place}${required ? ', required' : ''}</small></dt><dd>${description === undefined ? '' : `${prose(description)} `}<code>${linked(JSON.stringify(schema))}</code></dd>`

const renderParameters = (parameters: readonly Parameter[]): string =>
  parameters.length === 0 ? '' : `<h4>Parameters</h4><dl>${parameters.map(renderParameter).join('')}</dl>`

const renderBody = ({ requestBody }: Operation): string => {
  const [mediaType, content] = Object.entries(requestBody?.content ?? {})[0] ?? []
  if (mediaType === undefined || content === undefined) return ''
  const size = prose(requestBody?.description ?? '')
  return `<details><summary>Body, <code>${escapeHtml(mediaType)}</code>. ${size}</summary>${schemaBlock(content.schema)}</details>`
}

const renderResponse = ([status, { description, content }]: [string, Operation['responses'][string]]): string => {
  const schema = content?.['application/json']?.schema
  const shape = schema === undefined ? '' : `<details><summary>Body</summary>${schemaBlock(schema)}</details>`
  return `<dt>${escapeHtml(status)}</dt><dd>${prose(description)}${shape}</dd>`
}

const renderOperation = (
  { path, method, operation }: Entry,
  baseUrl: string,
): string => `<section id="${escapeHtml(operation.operationId)}">
<h3><code>${method.toUpperCase()} ${escapeHtml(path)}</code></h3>
<p>${prose(operation.summary)} ${prose(operation.description)}</p>
<pre>${escapeHtml(createCurl(baseUrl, { path, method, operation }))}</pre>
${renderParameters(operation.parameters)}${renderBody(operation)}
<details><summary>Answers: ${Object.keys(operation.responses).join(', ')}</summary><dl class="answers">${Object.entries(operation.responses).map(renderResponse).join('')}</dl></details>
</section>`

type Entry = { readonly path: string; readonly method: string; readonly operation: Operation }

const groupByTag = ({ paths }: Openapi): ReadonlyMap<string, readonly Entry[]> => {
  const groups = new Map<string, Entry[]>()
  for (const [path, operations] of Object.entries(paths))
    for (const [method, operation] of Object.entries(operations)) {
      const tag = operation.tags[0] ?? ''
      groups.set(tag, [...(groups.get(tag) ?? []), { path, method, operation }])
    }
  return groups
}

const renderLink = ({ path, method, operation }: Entry): string =>
  `<li><a href="#${escapeHtml(operation.operationId)}"><code>${method.toUpperCase()} ${escapeHtml(path)}</code></a></li>`

const renderGroup = (
  [tag, entries]: readonly [string, readonly Entry[]],
  { baseUrl, about }: Readonly<Record<'baseUrl' | 'about', string>>,
): string =>
  `<h2>${escapeHtml(tag)}</h2>\n<p>${prose(about)}</p>\n${entries.map((entry) => renderOperation(entry, baseUrl)).join('\n')}`

const renderProblems = (document: Openapi): string => {
  const rows = document['x-problems'].map(
    ({ slug, status, title, help }) =>
      `<dt id="${escapeHtml(slug)}"><code>${escapeHtml(slug)}</code> <small>${status}</small></dt><dd>${escapeHtml(title)}. ${prose(help)}</dd>`,
  )
  return `<h2 id="problems">Problems</h2>
<p>Every error is <code>application/problem+json</code>. Its <code>type</code> is <code>/problems/</code> and one of these slugs.</p>
<dl>${rows.join('')}</dl>`
}

const renderTypes = ({ components }: Openapi): string => {
  const types = Object.entries(components.schemas).map(
    ([name, schema]) =>
      `<details id="type-${escapeHtml(name)}"><summary>${escapeHtml(name)}</summary>${schemaBlock(schema)}</details>`,
  )
  return `<h2 id="types">Types</h2>\n${types.join('')}`
}

/** The protocols besides HTTP, and where they are described. */
const renderProtocol = (baseUrl: string): string => `<h2 id="protocol">Real-time protocol and live feeds</h2>
<p>Players connect by WebSocket to <code>${escapeHtml(baseUrl.replace(/^http/, 'ws'))}/realtime</code>. The first message is <code>connect</code> with a token, in JSON text frames or in protobuf. The answers have the same format.</p>
<pre>{"connect":{"token":"…","protocolVersion":1,"clientName":"mine"}}</pre>
<p><code>realtime/protocol/gatehouse.proto</code> in the source defines every message, and <code>docs/protocol-notes.md</code> has the details. Editors follow a zone at <code>/api/admin/ws/instances/{id}</code>: <code>docs/zone-feed.md</code>. Maps follow a world at <code>/api/admin/ws/worlds/{world}</code>: <code>docs/world-feed.md</code>. AsyncAPI 3 description of all three: <a href="asyncapi.json">asyncapi.json</a>.</p>`

/** An API description as one HTML page that needs only its stylesheet. */
export const createDocsPage = (document: Openapi): string => {
  const byTag = groupByTag(document)
  const groups = document.tags.map(({ name }) => [name, byTag.get(name) ?? []] as const)
  const aboutOf = (tag: string): string => document.tags.find(({ name }) => name === tag)?.description ?? ''
  const baseUrl = document.servers[0]?.url ?? ''
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(document.info.title)} ${escapeHtml(document.info.version)}</title>
<link rel="stylesheet" href="docs/style.css">
</head>
<body>
<h1>${escapeHtml(document.info.title)} ${escapeHtml(document.info.version)}</h1>
<p>${prose(document.info.description)} For tools: <a href="openapi.json">openapi.json</a>, and <a href="asyncapi.json">asyncapi.json</a> for WebSockets. Players and live editors: <a href="#protocol">the real-time protocol</a>. Errors: <a href="#problems">problems</a>.</p>
<p>The commands below read a token from <code>$TOKEN</code>. A sign-in returns it, and it is valid for ten minutes.</p>
<nav>${groups.map(([tag, entries]) => `<details><summary>${escapeHtml(tag)}</summary><ul>${entries.map(renderLink).join('')}</ul></details>`).join('')}</nav>
${groups.map((group) => renderGroup(group, { baseUrl, about: aboutOf(group[0]) })).join('\n')}
${renderTypes(document)}
${renderProtocol(baseUrl)}
${renderProblems(document)}
</body>
</html>
`
}
