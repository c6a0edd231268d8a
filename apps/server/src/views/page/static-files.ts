import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { type Request, type Response } from 'express';

const YEAR_SECONDS = 31_536_000;
/** Compressed forms of files that the build creates, the smallest first: encoding and extension. */
const PACKED = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/** A file of a build as it is sent. */
export interface BuiltFile {
  /** Extension of its name, which defines the media type. */
  ending: string;
  /**
   * True for files below /assets: their names change with their contents, so caches may store them permanently; all
   * others keep their names.
   */
  isHashed: boolean;
  etag: string;
  plain: Buffer;
  /** By encoding. */
  packed: ReadonlyMap<string, Buffer>;
}

/** All files of a built folder, by path: names in requests are only looked up here. Paths begin with a slash. */
export function readBuiltFiles(folder: string): ReadonlyMap<string, BuiltFile> {
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
    isHashed: name.startsWith('/assets/'),
    etag: createHash('sha256').update(plain).digest('base64url').slice(0, 22),
    plain,
    packed: new Map(twins.map(([encoding, end]) => [encoding, readFileSync(join(folder, name + end))])),
  };
}

/**
 * Sends a file from memory: a client that reads slowly or disconnects holds no file open, and all clients share the
 * same bytes. Ranges are not supported: such a request gets the whole file, as HTTP allows.
 * @param unhashed the caching header of a file whose name stays the same
 */
export function sendBuiltFile(request: Request, response: Response, file: BuiltFile, unhashed: string): void {
  const encoding = [...file.packed.keys()].find((known) => request.acceptsEncodings(known) !== false);
  if (encoding !== undefined) response.setHeader('Content-Encoding', encoding);
  response.vary('Accept-Encoding');
  const forGood = `public, max-age=${String(YEAR_SECONDS)}, immutable`;
  response.setHeader('Cache-Control', file.isHashed ? forGood : unhashed);
  response.setHeader('ETag', `"${file.etag}${encoding === undefined ? '' : `-${encoding}`}"`);
  response.type(file.ending).send(encoding === undefined ? file.plain : file.packed.get(encoding));
}
