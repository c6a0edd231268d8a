import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The other files that the page loads: files of the package swagger-ui-dist, and the script that starts it. */
export interface DocAsset {
  contentType: string;
  bytes: Buffer;
}

const PACKAGE_FOLDER = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const START_SCRIPT = 'start.js';

const CONTENT_TYPES: Readonly<Record<string, string | undefined>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
  [START_SCRIPT]: 'text/javascript; charset=utf-8',
};

// The validator is a third-party service: it would receive the address of this installation.
const START = `window.addEventListener('DOMContentLoaded', function () {
  var folder = document.documentElement.getAttribute('data-api');
  window.ui = window.SwaggerUIBundle({
    url: folder + '/doc/openapi',
    dom_id: '#swagger-ui',
    deepLinking: true,
    docExpansion: 'none',
    filter: true,
    validatorUrl: null,
    queryConfigEnabled: false
  });
});
`;

/** The page, for an API at `apiPath` of its host (`/api`). */
export function docPage(apiPath: string): string {
  const asset = (name: string): string => `${apiPath}/doc/assets/${name}`;
  return `<!doctype html>
<html lang="en" data-api="${apiPath}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Plumbline API</title>
<link rel="icon" type="image/png" href="${asset('favicon-32x32.png')}">
<link rel="stylesheet" href="${asset('swagger-ui.css')}">
<script defer src="${asset('swagger-ui-bundle.js')}"></script>
<script defer src="${asset(START_SCRIPT)}"></script>
</head>
<body>
<div id="swagger-ui"></div>
<noscript>This page needs JavaScript. The description itself is at ${apiPath}/doc/openapi.</noscript>
</body>
</html>
`;
}

/** Undefined for a name that the page does not use. Read on each call; clients may cache answers. */
export function docAsset(name: string): DocAsset | undefined {
  const contentType = Object.hasOwn(CONTENT_TYPES, name) ? CONTENT_TYPES[name] : undefined;
  if (contentType === undefined) return undefined;
  const bytes = name === START_SCRIPT ? Buffer.from(START) : readFileSync(join(PACKAGE_FOLDER, name));
  return { contentType, bytes };
}

/**
 * The page runs scripts of this host only, and sends requests to this installation only: `origins` are its public
 * addresses. Swagger UI uses inline styles, and its style sheet contains pictures as `data:`.
 */
export function docContentPolicy(origins: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    ['connect-src', "'self'", ...new Set(origins)].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
