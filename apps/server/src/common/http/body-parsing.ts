import { parse as parseForm } from 'node:querystring';
import { MalformedBodyError } from './http.errors.js';
import { parsedMultipart } from './multipart.js';

/** Larger decompressed bodies are parsed by a thread, so that they do not delay answers. */
export const LARGE_BODY_BYTES = 256 * 1024;

/** No call nests deeper than a few levels; deeper bodies could overflow the stack of recursive code. */
export const MAX_NESTING = 64;
/**
 * Maximum number of objects and lists in a body, including brackets in texts: ten for each item of the longest list.
 */
export const MAX_CONTAINERS = 10_000;
/** The same for a route that accepts uploads: a list for each point. */
export const MAX_UPLOAD_CONTAINERS = 210_000;
const MAX_FORM_FIELDS = 1000;

/** A body as sent, with its properties from the headers. */
export interface SentBody {
  bytes: Uint8Array;
  kind: 'json' | 'form' | 'multipart';
  /** Of the size of a file. */
  isUpload: boolean;
  contentType: string;
}

/** The members of a body. @throws MalformedBodyError */
export function parsedBody({ bytes, kind, isUpload, contentType }: SentBody): object {
  if (kind === 'multipart') return parsedMultipart(bytes, contentType);
  if (kind === 'form') return parsedForm(bytes);
  return isUpload ? parsedJson(bytes, MAX_UPLOAD_CONTAINERS) : parsedJson(bytes);
}

/** @throws MalformedBodyError */
function parsedJson(bytes: Uint8Array, maxContainers = MAX_CONTAINERS): object {
  // An empty chunked body.
  if (bytes.length === 0) return {};
  const value = parsedContainer(bytes, maxContainers);
  if (Array.isArray(value)) throw new MalformedBodyError('The JSON body must be an object.');
  return value;
}

/** An object, or a list. @throws MalformedBodyError */
export function parsedContainer(bytes: Uint8Array, maxContainers = MAX_CONTAINERS): object {
  refuseTooManyContainers(bytes, maxContainers);
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new MalformedBodyError('The body is not a JSON object.');
  }
  if (!isContainer(value)) throw new MalformedBodyError('The JSON body must be an object.');
  if (hasNesting(value, MAX_NESTING)) {
    throw new MalformedBodyError(`The JSON body is nested deeper than ${String(MAX_NESTING)} levels.`);
  }
  return value;
}

/** @throws MalformedBodyError */
function parsedForm(bytes: Uint8Array): object {
  const text = new TextDecoder().decode(bytes);
  if (text.split('&', MAX_FORM_FIELDS + 1).length > MAX_FORM_FIELDS) {
    throw new MalformedBodyError('The form has too many fields.');
  }
  return { ...parseForm(text, '&', '=', { maxKeys: 0 }) };
}

/**
 * A megabyte of `[[],[],…` would become a hundred megabytes of objects, so brackets are counted before they are parsed.
 * @throws MalformedBodyError
 */
export function refuseTooManyContainers(bytes: Uint8Array, maxContainers = MAX_CONTAINERS): void {
  let containers = 0;
  // `[` is 0x5b, `{` is 0x7b: they differ in one bit.
  for (const byte of bytes) if ((byte & 0xdf) === 0x5b) containers++;
  if (containers > maxContainers) {
    throw new MalformedBodyError(`The JSON body has more than ${String(maxContainers)} objects and lists.`);
  }
}

/** True if containers are nested deeper than `levels`. */
function hasNesting(container: object, levels: number): boolean {
  if (levels === 0) return true;
  for (const value of Object.values(container) as unknown[]) {
    if (isContainer(value) && hasNesting(value, levels - 1)) return true;
  }
  return false;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
