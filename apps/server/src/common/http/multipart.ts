import { MalformedBodyError } from './http.errors.js';

/** Headers of a part; browsers and curl send some hundred bytes. */
const MAX_PART_HEAD_BYTES = 16_384;
/** Parts looked at; later ones are as if they were not there. */
const MAX_PARTS = 100;
const CRLF = '\r\n';
const NO_MULTIPART = 'The body is no multipart form.';

/** A field of a form. */
export interface FormPart {
  /** Undefined: the part names none. */
  name: string | undefined;
  /** It was sent as a file. */
  isFile: boolean;
  /** A part of the body, not a copy. */
  content: Buffer;
}

/**
 * The parts of a `multipart/form-data` body that is in memory, one after the other. Source: RFC 7578, RFC 2046 section 5.1.
 *
 * @throws MalformedBodyError the body is no multipart
 */
export function* multipartParts(bytes: Uint8Array, contentType: string): Generator<FormPart> {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const boundary = boundaryOf(contentType);
  const delimiter = Buffer.from(`${CRLF}--${boundary}`, 'latin1');
  // The first delimiter may stand at the very beginning, without the line end that belongs to the others.
  const opening = `--${boundary}`;
  let at = body.toString('latin1', 0, opening.length) === opening ? opening.length : afterDelimiter(body, delimiter, 0);
  for (let part = 0; part < MAX_PARTS; part++) {
    if (body.toString('latin1', at, at + 2) === '--') break;
    const headStart = body.indexOf(CRLF, at, 'latin1');
    // An empty line right away: a part without headers.
    const headEnd = headStart < 0 ? -1 : body.indexOf(CRLF + CRLF, headStart, 'latin1');
    if (headEnd < 0 || headEnd - headStart > MAX_PART_HEAD_BYTES) throw new MalformedBodyError(NO_MULTIPART);
    const contentStart = headEnd + 4;
    // The line end of an empty content is the one that ended the headers.
    const contentEnd = body.indexOf(delimiter, headEnd + 2);
    if (contentEnd < 0) throw new MalformedBodyError(NO_MULTIPART);
    const head = body.toString('utf8', headStart, headEnd);
    yield { ...fieldOf(head), content: body.subarray(Math.min(contentStart, contentEnd), contentEnd) };
    at = contentEnd + delimiter.length;
  }
}

/**
 * The fields of a `multipart/form-data` body: texts, and files as Buffers. A name that is repeated has a list.
 * @throws MalformedBodyError
 */
export function parsedMultipart(bytes: Uint8Array, contentType: string): object {
  const fields = new Map<string, unknown[]>();
  for (const { name, isFile, content } of multipartParts(bytes, contentType)) {
    if (name === undefined) continue;
    fields.set(name, [...(fields.get(name) ?? []), isFile ? content : content.toString('utf8')]);
  }
  return Object.fromEntries([...fields].map(([name, values]) => [name, values.length === 1 ? values[0] : values]));
}

function boundaryOf(contentType: string): string {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  // 70 characters by RFC 2046.
  if (boundary === undefined || boundary.length > 70) throw new MalformedBodyError(NO_MULTIPART);
  return boundary;
}

function afterDelimiter(body: Buffer, delimiter: Buffer, from: number): number {
  const at = body.indexOf(delimiter, from);
  if (at < 0) throw new MalformedBodyError(NO_MULTIPART);
  return at + delimiter.length;
}

/** The form field that the headers of a part name, and whether they name a file. */
function fieldOf(head: string): Pick<FormPart, 'name' | 'isFile'> {
  const disposition = head.split(CRLF).find((line) => /^content-disposition\s*:\s*form-data\s*;/i.test(line)) ?? '';
  const [, quoted, plain] = /[;\s]name=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/i.exec(disposition) ?? [];
  return { name: quoted ?? plain, isFile: /[;\s]filename\*?=/i.test(disposition) };
}
