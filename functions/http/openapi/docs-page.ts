import { escapeHtml } from '../answer/problem-page.ts'
import { prose, renderFields, typeText } from './docs-fields.ts'
import type { Openapi, Operation, Parameter } from './openapi.ts'

type Entry = { readonly path: string; readonly method: string; readonly operation: Operation }

/** Examples longer than this are cut: the types have the rest. */
const exampleChars = 1_200

const renderParameter = ({ name, in: place, required, schema, description = '' }: Parameter): string =>
  `<dt><code>${escapeHtml(name)}</code> <span class="type">${typeText(schema)}</span> <small>${place}</small>${required ? ' <b>required</b>' : ''}</dt><dd>${prose(description)}</dd>`

const renderParameters = (parameters: readonly Parameter[]): string =>
  parameters.length === 0 ? '' : `<h4>Parameters</h4><dl class="fields">${parameters.map(renderParameter).join('')}</dl>`

const renderBody = ({ requestBody }: Operation): string => {
  const [mediaType, content] = Object.entries(requestBody?.content ?? {})[0] ?? []
  if (mediaType === undefined || content === undefined) return ''
  return `<h4>Body <small>${escapeHtml(mediaType)}. ${prose(requestBody?.description ?? '')}</small></h4>${renderFields(content.schema)}`
}

const isSuccess = (status: string): boolean => status.startsWith('2')

const renderResponse = ([status, { description, content }]: [string, Operation['responses'][string]]): string => {
  const schema = isSuccess(status) ? content?.['application/json']?.schema : undefined
  return `<dt><code class="${isSuccess(status) ? 'good' : ''}">${escapeHtml(status)}</code></dt><dd>${prose(description)}${schema === undefined ? '' : renderFields(schema)}</dd>`
}

/** The example of the first answer without an error. */
const renderExample = ({ responses }: Operation): string => {
  const found = Object.entries(responses).find(
    ([status, { content }]) => isSuccess(status) && content?.['application/json']?.example !== undefined,
  )
  if (found === undefined) return ''
  const [status, { content }] = found
  const text = JSON.stringify(content?.['application/json']?.example, null, 2)
  const shown = text.length > exampleChars ? `${text.slice(0, exampleChars)}\n…` : text
  return `<figure><figcaption>Answer <code class="good">${status}</code></figcaption><pre>${escapeHtml(shown)}</pre></figure>`
}

const badgeOf = (permission: string): string => {
  if (permission === 'none') return '<span class="badge open">public</span>'
  if (permission === 'signed-in') return '<span class="badge">any sign-in</span>'
  return `<span class="badge"><code>${escapeHtml(permission)}</code></span>`
}

const verbOf = (method: string): string => `<span class="verb ${method}">${method.toUpperCase()}</span>`

/** What the script needs to send the request. */
const tryData = ({ method, path, operation }: Entry): string => {
  const [mediaType, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  const fields = operation.parameters
    .filter((parameter) => parameter.in === 'path' || parameter.in === 'query')
    .map(({ name, in: place, required }) => `${place === 'path' ? '/' : '?'}${name}${required ? '*' : ''}`)
  const body =
    mediaType === undefined
      ? ''
      : ` data-type="${escapeHtml(mediaType)}" data-body="${escapeHtml(JSON.stringify(content?.example ?? '', null, 2))}"`
  return `data-method="${method}" data-path="${escapeHtml(path)}" data-fields="${escapeHtml(fields.join(' '))}"${body}`
}

/** Quoted for a shell, in single quotes. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const bodyOf = ({ requestBody }: Operation): readonly string[] => {
  const [mediaType, content] = Object.entries(requestBody?.content ?? {})[0] ?? []
  if (mediaType === undefined || content === undefined) return []
  const data = mediaType === 'application/json' ? quoted(JSON.stringify(content.example)) : '@file.yaml'
  return [`-H ${quoted(`Content-Type: ${mediaType}`)}`, `${data.startsWith('@') ? '--data-binary' : '-d'} ${data}`]
}

/** Required parameters are names in capitals, for the shell to fill in. */
const addressOf = (baseUrl: string, path: string, { parameters }: Operation): string => {
  const query = parameters.filter((parameter) => parameter.in === 'query' && parameter.required)
  const search = query.map(({ name }) => `${name}=$${name.toUpperCase()}`).join('&')
  const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => `$${name.toUpperCase()}`)
  return `"${baseUrl}${filled}${search === '' ? '' : `?${search}`}"`
}

/** The curl command of a request, one option per line. Readers fill in `$TOKEN` and the parameters. */
const createCurl = (
  baseUrl: string,
  { method, path, operation }: { readonly method: string; readonly path: string; readonly operation: Operation },
): string =>
  [
    `curl${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} ${addressOf(baseUrl, path, operation)}`,
    ...(operation.security.length > 0 ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...bodyOf(operation),
  ].join(' \\\n  ')

const renderOperation = (entry: Entry, baseUrl: string): string => {
  const { path, method, operation } = entry
  return `<section class="operation" id="${escapeHtml(operation.operationId)}" ${tryData(entry)}>
<h3>${verbOf(method)} <code>${escapeHtml(path)}</code></h3>
<div class="columns"><div>
<p>${badgeOf(operation['x-permission'])}</p>
<p>${prose(operation.summary)} ${prose(operation.description)}</p>
${renderParameters(operation.parameters)}${renderBody(operation)}
<details><summary>Answers: ${Object.keys(operation.responses).join(', ')}</summary><dl class="answers">${Object.entries(operation.responses).map(renderResponse).join('')}</dl></details>
</div><div class="examples">
<figure><figcaption>Request</figcaption><pre>${escapeHtml(createCurl(baseUrl, entry))}</pre></figure>
${renderExample(operation)}
</div></div>
</section>`
}

const groupByTag = ({ paths }: Openapi): ReadonlyMap<string, readonly Entry[]> => {
  const groups = new Map<string, Entry[]>()
  for (const [path, operations] of Object.entries(paths))
    for (const [method, operation] of Object.entries(operations)) {
      const tag = operation.tags[0] ?? ''
      groups.set(tag, [...(groups.get(tag) ?? []), { path, method, operation }])
    }
  return groups
}

const shortPath = (path: string): string => path.replace(/^\/api\/admin|^\/api/, '')

const renderLink = ({ path, method, operation }: Entry): string =>
  `<li><a href="#${escapeHtml(operation.operationId)}" title="${method.toUpperCase()} ${escapeHtml(path)}">${verbOf(method)} ${escapeHtml(shortPath(path))}</a></li>`

const renderGroup = (
  [tag, entries]: readonly [string, readonly Entry[]],
  { baseUrl, about }: Readonly<Record<'baseUrl' | 'about', string>>,
): string =>
  `<h2 id="tag-${escapeHtml(tag)}">${escapeHtml(tag)}</h2>\n<p>${prose(about)}</p>\n${entries.map((entry) => renderOperation(entry, baseUrl)).join('\n')}`

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
      `<details id="type-${escapeHtml(name)}"><summary><code>${escapeHtml(name)}</code></summary>${renderFields(schema)}</details>`,
  )
  return `<h2 id="types">Types</h2>\n${types.join('')}`
}

/** The protocols besides HTTP, and where they are described. */
const renderProtocol = (baseUrl: string): string => `<h2 id="protocol">Real-time protocol and live feeds</h2>
<p>Players connect by WebSocket to <code>${escapeHtml(baseUrl.replace(/^http/, 'ws'))}/realtime</code>. The first message is <code>connect</code> with a token, in JSON text frames or in protobuf. The answers have the same format.</p>
<pre>{"connect":{"token":"…","protocolVersion":1,"clientName":"mine"}}</pre>
<p><code>realtime/protocol/gatehouse.proto</code> in the source defines every message, and <code>docs/protocol-notes.md</code> has the details. Editors follow a zone at <code>/api/admin/ws/instances/{id}</code>: <code>docs/zone-feed.md</code>. Maps follow a world at <code>/api/admin/ws/worlds/{world}</code>: <code>docs/world-feed.md</code>. AsyncAPI 3 description of all three: <a href="asyncapi.json">asyncapi.json</a>.</p>`

/** An API description as one HTML page that needs only its stylesheet. Its script adds search, copy buttons and requests. */
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
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/style.css">
<script src="docs/script.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="side">
<a class="brand" href="../console"><span class="gate" aria-hidden="true"></span>Gatehouse</a>
<nav aria-label="API">
<ul class="top"><li><a href="#content">Overview</a></li><li><a href="#protocol">Real-time protocol</a></li><li><a href="#types">Types</a></li><li><a href="#problems">Problems</a></li></ul>
${groups.map(([tag, entries]) => `<details open><summary>${escapeHtml(tag)}</summary><ul>${entries.map(renderLink).join('')}</ul></details>`).join('')}</nav>
</header>
<main id="content" tabindex="-1">
<h1>${escapeHtml(document.info.title)} <small>${escapeHtml(document.info.version)}</small></h1>
<p>${prose(document.info.description)} For tools: <a href="openapi.json">openapi.json</a>, and <a href="asyncapi.json">asyncapi.json</a> for WebSockets. Players and live editors: <a href="#protocol">the real-time protocol</a>. Errors: <a href="#problems">problems</a>.</p>
<p>The commands below read a token from <code>$TOKEN</code>. A sign-in returns it, and it is valid for ten minutes. Scripts and bots use an API token.</p>
${groups.map((group) => renderGroup(group, { baseUrl, about: aboutOf(group[0]) })).join('\n')}
${renderTypes(document)}
${renderProtocol(baseUrl)}
${renderProblems(document)}
</main>
</body>
</html>
`
}
