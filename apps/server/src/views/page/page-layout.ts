import { createHash } from 'node:crypto';
import { escapeHtml } from '../../common/html.js';
import { type Field, type Form, type PageContent } from './page.types.js';

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:42rem;margin:3rem auto;padding:0 1rem;color:#1b1f24;background:#fff}
h1{font-size:1.5rem}h2{font-size:1.1rem;margin-top:2rem}
label{display:block;margin:.75rem 0}input{display:block;width:100%;box-sizing:border-box;padding:.5rem;font:inherit;border:1px solid #8c959f;border-radius:4px}
button{padding:.5rem 1rem;font:inherit;border:0;border-radius:4px;background:#0b57d0;color:#fff;cursor:pointer}
pre{overflow-x:auto;padding:.75rem;background:#f3f4f6;border-radius:4px}output{display:block;margin:.75rem 0;font-weight:600}
@media(prefers-color-scheme:dark){body{color:#e6e8eb;background:#14171a}pre{background:#23272c}input{color:inherit;background:#23272c}a{color:#8ab4f8}}`;

// Without the script a form still calls the API, and the browser shows the JSON answer. The script removes the secret
// of the link from the address bar, and so from the history of the browser.
const SCRIPT = `if(location.search)history.replaceState(null,'',location.pathname);
document.querySelectorAll('form').forEach(function(form){
var output=form.querySelector('output'),button=form.querySelector('button');
form.addEventListener('submit',function(event){
event.preventDefault();button.disabled=true;output.textContent='One moment.';
fetch(form.action,{method:'POST',credentials:'same-origin',headers:{Accept:'application/json'},body:new URLSearchParams(new FormData(form))})
.then(function(response){return response.json().then(function(body){
if(response.ok){output.textContent=form.dataset.done;return}
var details=(body.data.error.details||[]).map(function(detail){return detail.message});
output.textContent=details.length?details.join('. '):body.data.message})})
.catch(function(){output.textContent='The service did not answer. Try again.'})
.then(function(){button.disabled=false})})});`;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** One style sheet and one script, allowed by their hashes; requests are limited to this host. */
export const PAGE_CONTENT_POLICY = [
  "default-src 'none'",
  `style-src ${hashOf(STYLE)}`,
  `script-src ${hashOf(SCRIPT)}`,
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The page as HTML. `apiPath` is the path of the API on its host. */
export function renderPage(content: PageContent, apiPath: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(content.title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(content.title)}</h1>
${content.paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`).join('\n')}
${content.links.map(({ label, url }) => `<p><a href="${escapeHtml(url)}">${escapeHtml(label)}</a></p>`).join('\n')}
${content.forms.map((form) => renderForm(form, content.apiUrl, apiPath)).join('\n')}
${content.isStart ? renderStart(content.apiUrl, apiPath) : `<p><a href="${escapeHtml(`${apiPath}/doc`)}">All calls of the API</a></p>`}
</main>
<script>${SCRIPT}</script>
</body>
</html>
`;
}

function renderStart(apiUrl: string, apiPath: string): string {
  const line = `curl -H 'X-Auth-Token: pl_…' ${shellArgument(`${apiUrl}/anomalies?limit=5`)}`;
  return `<ul>
<li><a href="${escapeHtml(`${apiPath}/doc`)}">The API</a>: every call, to read and to try</li>
<li><a href="/login">Log in</a>, or set a new password</li>
<li><a href="${escapeHtml(`${apiPath}/status`)}">The state of the service</a></li>
</ul>
<p>The newest anomalies, from a terminal:</p>
<pre><code>${escapeHtml(line)}</code></pre>`;
}

function renderForm(form: Form, apiUrl: string, apiPath: string): string {
  const heading = form.title === '' ? '' : `<h2>${escapeHtml(form.title)}</h2>\n`;
  return `${heading}<form method="post" action="${escapeHtml(apiPath + form.action)}" data-done="${escapeHtml(form.done)}">
${form.fields.map(renderField).join('\n')}
<button>${escapeHtml(form.button)}</button>
<output role="status"></output>
</form>
<details><summary>From a terminal</summary>
<pre><code>${escapeHtml(curlOf(form, apiUrl))}</code></pre></details>`;
}

function renderField({ name, label, type, value, autocomplete }: Field): string {
  const attributes = [
    `name="${escapeHtml(name)}"`,
    `type="${type}"`,
    ...(value === undefined ? [] : [`value="${escapeHtml(value)}"`]),
    ...(autocomplete === undefined ? [] : [`autocomplete="${autocomplete}"`]),
  ].join(' ');
  return type === 'hidden'
    ? `<input ${attributes}>`
    : `<label>${escapeHtml(label)}<input ${attributes} required></label>`;
}

function curlOf({ action, fields, onlyForTerminal = [] }: Form, apiUrl: string): string {
  const all: readonly Pick<Field, 'name' | 'value'>[] = [...fields, ...onlyForTerminal.map((name) => ({ name }))];
  const parameters = all.map(({ name, value }) => `  --data-urlencode ${shellArgument(`${name}=${value ?? '…'}`)}`);
  return [`curl ${shellArgument(apiUrl + action)}`, ...parameters].join(' \\\n');
}

/** Quotes any text as one word of a POSIX shell. */
function shellArgument(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
