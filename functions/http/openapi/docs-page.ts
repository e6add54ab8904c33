import type { Openapi, Operation, Parameter } from './openapi.ts'

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')

/** Escaped, with what stands between backticks as code. */
const prose = (text: string): string => escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')

const schemaBlock = (schema: object): string => `<pre>${escapeHtml(JSON.stringify(schema, null, 2))}</pre>`

const renderParameter = ({ name, in: place, required, schema }: Parameter): string =>
  `<tr><td><code>${escapeHtml(name)}</code></td><td>${place}${required ? ', required' : ''}</td><td><code>${escapeHtml(JSON.stringify(schema))}</code></td></tr>`

const renderParameters = (parameters: readonly Parameter[]): string =>
  parameters.length === 0
    ? ''
    : `<table><thead><tr><th>Parameter</th><th>In</th><th>Schema</th></tr></thead><tbody>${parameters.map(renderParameter).join('')}</tbody></table>`

const renderBody = ({ requestBody }: Operation): string => {
  const [mediaType, content] = Object.entries(requestBody?.content ?? {})[0] ?? []
  if (mediaType === undefined || content === undefined) return ''
  return `<details><summary>Body, <code>${escapeHtml(mediaType)}</code></summary>${schemaBlock(content.schema)}</details>`
}

const renderResponse = ([status, { description, content }]: [string, Operation['responses'][string]]): string => {
  const schema = content?.['application/json']?.schema
  const shape = schema === undefined ? '' : `<details><summary>Body</summary>${schemaBlock(schema)}</details>`
  return `<tr><td>${escapeHtml(status)}</td><td>${prose(description)}${shape}</td></tr>`
}

const renderOperation = (
  path: string,
  method: string,
  operation: Operation,
): string => `<section id="${escapeHtml(operation.operationId)}">
<h3><code>${method.toUpperCase()} ${escapeHtml(path)}</code></h3>
<p>${prose(operation.summary)} ${prose(operation.description)}</p>
${renderParameters(operation.parameters)}${renderBody(operation)}
<table><thead><tr><th>Status</th><th>Answer</th></tr></thead><tbody>${Object.entries(operation.responses).map(renderResponse).join('')}</tbody></table>
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

const renderGroup = ([tag, entries]: readonly [string, readonly Entry[]]): string =>
  `<h2>${escapeHtml(tag)}</h2>\n${entries.map(({ path, method, operation }) => renderOperation(path, method, operation)).join('\n')}`

const renderProblems = (document: Openapi): string => {
  const rows = document['x-problems'].map(
    ({ slug, status, title, help }) =>
      `<tr id="${escapeHtml(slug)}"><td><code>${escapeHtml(slug)}</code></td><td>${status}</td><td>${escapeHtml(title)}. ${prose(help)}</td></tr>`,
  )
  return `<h2>Problems</h2>
<p>Every error is <code>application/problem+json</code>; its <code>type</code> is <code>/problems/</code> and one of these.</p>
<table><thead><tr><th>Slug</th><th>Status</th><th>What helps</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
}

/** An API description as one HTML page that needs nothing but its stylesheet. */
export const createDocsPage = (document: Openapi): string => {
  const groups = [...groupByTag(document)]
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
<p>${prose(document.info.description)} For tools: <a href="openapi.json">openapi.json</a>.</p>
<nav><ul>${groups.flatMap(([, entries]) => entries.map(renderLink)).join('')}</ul></nav>
${groups.map(renderGroup).join('\n')}
${renderProblems(document)}
</body>
</html>
`
}
