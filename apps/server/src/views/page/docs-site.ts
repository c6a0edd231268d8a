import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Request, type RequestHandler, type Response } from 'express';
import { readBuiltFiles, sendBuiltFile } from './static-files.js';

/** The output of `npm run build:docs`: next to the compiled server. */
const FOLDER = join(import.meta.dirname, '../../../../../docs');
const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');
/** A page may be cached, but the browser must check whether it is still current. */
const ASK_AGAIN = 'no-cache';
const BASE = '/docs';
/** Former addresses of the guide, before all documents were one site. */
const FORMER = /^\/guide\/([\w-]+)\.html$/;

/** Reason for a missing page: the site has none at this path, or the site was not built. */
export type NoPage = 'unknown' | 'not built';

/**
 * Answers all paths below /docs, and passes on all others. The folder is read once: a changed build needs a restart.
 * @param tellNoPage writes the HTML answer; its status is already 404
 */
export function docsSite(sendNoPage: (why: NoPage, response: Response) => void, folder = FOLDER): RequestHandler {
  const files = existsSync(join(folder, 'index.html')) ? readBuiltFiles(folder) : null;
  return (request, response, next) => {
    const former = FORMER.exec(request.path)?.[1];
    if (former !== undefined) {
      response.redirect(308, `..${BASE}/guide/${former}.html`);
      return;
    }
    if (!isDocsPath(request.path)) {
      next();
      return;
    }
    const path = request.path.slice(BASE.length);
    const file = files?.get(path.endsWith('/') ? `${path}index.html` : path);
    if (file) {
      response.setHeader('Content-Security-Policy', CONTENT_POLICY);
      sendBuiltFile(request, response, file, ASK_AGAIN);
      return;
    }
    const other = files ? otherNameOf(path, files) : undefined;
    if (other !== undefined) response.redirect(308, other);
    else if (isForPeople(request)) sendNoPage(files ? 'unknown' : 'not built', response.status(404));
    else next();
  };
}

const isDocsPath = (path: string): boolean => path === BASE || path.startsWith(`${BASE}/`);

const isForPeople = (request: Request): boolean => request.accepts(['json', 'html']) === 'html';

/**
 * The correct path of a page that was requested as a folder, without its extension, or by the name of its source;
 * relative to the requested path.
 */
function otherNameOf(path: string, files: ReadonlyMap<string, unknown>): string | undefined {
  if (files.has(`${path}/index.html`)) return `${path === '' ? basename(BASE) : basename(path)}/`;
  const page = path.replace(/\.md$/, '');
  return files.has(`${page}.html`) ? `${basename(page)}.html` : undefined;
}
