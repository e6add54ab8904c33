import { createHash } from 'node:crypto'
import type { ProblemReply } from '../../../shared/kernel/problems/problem-reply.ts'

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes a text for HTML, attributes included. */
export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')

const style = `
:root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-width:30rem;margin:12vh auto;padding:0 1rem;overflow-wrap:anywhere}
h1{font-size:1.5rem;line-height:1.25}
a{display:inline-block;margin:.5rem 0;padding:.5rem 1rem;border:1px solid;border-radius:.3rem;color:inherit;text-decoration:none}
a:focus-visible{outline:2px solid;outline-offset:2px}
small{display:block;margin-top:2rem;opacity:.75}`

/** Only this style. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const deepLevels = 16

/**
 * The relative path from `path` to the root of the server, which may be below a prefix of a proxy. Limited, so that a path of
 * many slashes makes no long page.
 */
const startFrom = (path: string): string => {
  const levels = path.split('/').length - 2
  return levels > deepLevels ? '/' : '../'.repeat(levels)
}

/** Links for the reader, relative to the root. */
const links = [
  ['Play', 'play'],
  ['Console', 'console'],
  ['API documentation', 'api/docs'],
] as const

/** The HTML page of a problem, for a browser that was sent to `path`: the problem, and links to continue. */
export const createProblemPage = ({ problem }: Pick<ProblemReply, 'problem'>, path: string, requestId: string) => ({
  body: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(problem.title)}</title>
<style>${style}</style>
</head>
<body>
<h1>${escapeHtml(problem.title)}</h1>
<p>${escapeHtml(problem.detail)}</p>
${links.map(([label, to]) => `<a href="${startFrom(path)}${to}">${label}</a>`).join('\n')}
<small>Request ID: ${escapeHtml(requestId)}</small>
</body>
</html>
`,
  contentType: 'text/html; charset=utf-8',
  headers: { 'Content-Security-Policy': policy, 'Referrer-Policy': 'no-referrer' },
})
