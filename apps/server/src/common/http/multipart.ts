import { type Readable } from 'node:stream';
import busboy from 'busboy';
import { MalformedBodyError } from './http.errors.js';

/** Maximum number of parts; later ones are ignored. */
const MAX_PARTS = 100;
/** Maximum length of the header with the boundary, which may have 70 characters by RFC 2046. */
const MAX_TYPE_LENGTH = 256;
const NO_MULTIPART = 'The body is not a multipart form.';
/** The length of the body limits the total. */
const LIMITS = { parts: MAX_PARTS, fieldSize: Infinity };
const EMPTY = Buffer.alloc(0);

/** A field of a form. */
export interface FormPart {
  /** Undefined if the part has none. */
  name: string | undefined;
  /** A text, or the bytes of a file: a part of the body, not a copy. */
  content: string | Buffer;
}

/** The content of a form. */
export interface MultipartForm {
  parts: FormPart[];
  /** The fault that ended parsing before the end of the form; null if the form is complete. */
  fault: MalformedBodyError | null;
}

/**
 * Reads a `multipart/form-data` body that is in memory. Source: RFC 7578. O(body).
 *
 * @throws MalformedBodyError the type has no boundary
 */
export function readMultipart(bytes: Uint8Array, contentType: string): MultipartForm {
  const form = openForm(contentType);
  const parts: (FormPart | { name: string | undefined; file: Readable })[] = [];
  form.on('field', (name: string | undefined, content) => parts.push({ name, content }));
  form.on('file', (name: string | undefined, file) => {
    // The error of an incomplete file; `destroyed` reports it too.
    file.on('error', () => undefined);
    parts.push({ name, file });
  });
  const faults: unknown[] = [];
  form.on('error', (fault) => faults.push(fault));
  // A body that is written in one piece is parsed within the call, and each file is one piece of it.
  form.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  // Records whether the form has ended, and destroys an incomplete file.
  form.destroy();
  return {
    parts: parts.flatMap((part): FormPart[] => {
      if (!('file' in part)) return [part];
      return part.file.destroyed ? [] : [{ name: part.name, content: (part.file.read() as Buffer | null) ?? EMPTY }];
    }),
    fault: form.errored === null && faults.length === 0 ? null : new MalformedBodyError(NO_MULTIPART),
  };
}

/**
 * The fields of a `multipart/form-data` body: texts, and files as Buffers. A repeated name has a list.
 * @throws MalformedBodyError
 */
export function parsedMultipart(bytes: Uint8Array, contentType: string): object {
  const { parts, fault } = readMultipart(bytes, contentType);
  if (fault) throw fault;
  const fields = new Map<string, unknown[]>();
  for (const { name, content } of parts) {
    if (name !== undefined) fields.set(name, [...(fields.get(name) ?? []), content]);
  }
  return Object.fromEntries([...fields].map(([name, values]) => [name, values.length === 1 ? values[0] : values]));
}

function openForm(contentType: string): busboy.Busboy {
  if (contentType.length > MAX_TYPE_LENGTH) throw new MalformedBodyError(NO_MULTIPART);
  try {
    return busboy({ headers: { 'content-type': contentType }, defParamCharset: 'utf8', limits: LIMITS });
  } catch {
    throw new MalformedBodyError(NO_MULTIPART);
  }
}
