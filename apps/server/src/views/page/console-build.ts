import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { type RequestHandler } from 'express';
import { type Page } from '../../common/http/page-answers.js';

/** Where the build of apps/console lies: beside the compiled server. */
const FOLDER = join(import.meta.dirname, '../../../../../console');
const NONCE_MARK = '__CSP_NONCE__';
/** Whether the browser presents a session, for the script that asks for data before the console is loaded. */
const SESSION_MARK = '__HAS_SESSION__';
/** The guide has texts and pictures, and runs nothing. */
const GUIDE_CONTENT_POLICY = "default-src 'none'; style-src 'self'; img-src 'self'; frame-ancestors 'none'";
const YEAR_SECONDS = 31_536_000;
/** How files are packed when they are built, the smallest form first: encoding, and what the name ends with. */
const PACKED = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/** The built console: one page for all of its paths, and the files that it loads. */
export interface ConsoleBuild {
  page(hasSession: boolean): Page;
  /** Answers for the files of the build, and passes on all other paths. */
  files: RequestHandler;
}

/** A file of the build as it is sent. */
interface BuiltFile {
  /** Ending of its name, which says the media type. */
  ending: string;
  cacheControl: string;
  etag: string;
  plain: Buffer;
  /** By encoding. */
  packed: ReadonlyMap<string, Buffer>;
}

/** Null where the console was not built. It is read once: a build that changes needs a restart. */
export function openConsoleBuild(folder = FOLDER): ConsoleBuild | null {
  if (!existsSync(join(folder, 'index.html'))) return null;
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  return {
    page(hasSession) {
      const nonce = randomBytes(16).toString('base64url');
      const whole = html.replaceAll(NONCE_MARK, nonce).replaceAll(SESSION_MARK, String(hasSession));
      return { html: whole, contentPolicy: contentPolicy(nonce) };
    },
    files: sendFiles(readFiles(folder)),
  };
}

/** Everything that is served, by its path: names of requests are looked up here and nowhere else. */
function readFiles(folder: string): ReadonlyMap<string, BuiltFile> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).split(sep).join('/'));
  const all = new Set(names);
  const isTwin = (name: string) => PACKED.some(([, end]) => name.endsWith(end) && all.has(name.slice(0, -end.length)));
  return new Map(names.filter((name) => !isTwin(name)).map((name) => [name, readBuiltFile(folder, name, all)]));
}

function readBuiltFile(folder: string, name: string, all: ReadonlySet<string>): BuiltFile {
  const plain = readFileSync(join(folder, name));
  const twins = PACKED.filter(([, end]) => all.has(name + end));
  return {
    ending: extname(name),
    // Names of files below /assets change with their contents; all others keep their names.
    cacheControl: name.startsWith('/assets/')
      ? `public, max-age=${String(YEAR_SECONDS)}, immutable`
      : 'public, max-age=3600',
    etag: createHash('sha256').update(plain).digest('base64url').slice(0, 22),
    plain,
    packed: new Map(twins.map(([encoding, end]) => [encoding, readFileSync(join(folder, name + end))])),
  };
}

/**
 * From memory: a client that reads slowly or goes away holds no file open, and all of them share the same bytes. Parts of a
 * file are not given (`Range`): a request for one gets the whole, as HTTP allows.
 */
function sendFiles(files: ReadonlyMap<string, BuiltFile>): RequestHandler {
  return (request, response, next) => {
    const file = files.get(request.path);
    if (!file) {
      next();
      return;
    }
    const encoding = [...file.packed.keys()].find((known) => request.acceptsEncodings(known) !== false);
    if (encoding !== undefined) response.setHeader('Content-Encoding', encoding);
    response.vary('Accept-Encoding');
    response.setHeader('Cache-Control', file.cacheControl);
    if (request.path.startsWith('/guide/')) response.setHeader('Content-Security-Policy', GUIDE_CONTENT_POLICY);
    response.setHeader('ETag', `"${file.etag}${encoding === undefined ? '' : `-${encoding}`}"`);
    response.type(file.ending).send(encoding === undefined ? file.plain : file.packed.get(encoding));
  };
}

/** Scripts and styles of this server only; style sheets that components make carry the nonce. */
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
