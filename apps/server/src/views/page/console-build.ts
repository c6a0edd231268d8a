import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RequestHandler } from 'express';
import { type Page } from '../../common/http/page-answers.js';
import { readBuiltFiles, sendBuiltFile } from './static-files.js';

/** The build of apps/console: next to the compiled server. */
const FOLDER = join(import.meta.dirname, '../../../../../console');
const NONCE_MARK = '__CSP_NONCE__';
/**
 * Replaced by whether the browser presents a session, for the script that requests data before the console is loaded.
 */
const SESSION_MARK = '__HAS_SESSION__';
/** Caching of files whose names stay the same: the icon, the licences. */
const UNHASHED = 'public, max-age=3600';

/** The built console: one page for all of its paths, and the files that it loads. */
export interface ConsoleBuild {
  page(hasSession: boolean): Page;
  /** Serves the files of the build, and passes on all other paths. */
  files: RequestHandler;
}

/** Null if the console was not built. The build is read once: changes need a restart. */
export function openConsoleBuild(folder = FOLDER): ConsoleBuild | null {
  if (!existsSync(join(folder, 'index.html'))) return null;
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  const files = readBuiltFiles(folder);
  return {
    page(hasSession) {
      const nonce = randomBytes(16).toString('base64url');
      const whole = html.replaceAll(NONCE_MARK, nonce).replaceAll(SESSION_MARK, String(hasSession));
      return { html: whole, contentPolicy: contentPolicy(nonce) };
    },
    files: (request, response, next) => {
      const file = files.get(request.path);
      if (file) sendBuiltFile(request, response, file, UNHASHED);
      else next();
    },
  };
}

/** Scripts and styles of this server only; style sheets that components create carry the nonce. */
function contentPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "font-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
