import { MalformedBodyError } from '../../common/http/http.errors.js';
import { readMultipart } from '../../common/http/multipart.js';

/** Stands where bytes were no UTF-8. */
const REPLACEMENT = '\ufffd';

/**
 * The content of a file in a `multipart/form-data` body that is in memory: a part of the given bytes, not a copy. Other
 * parts are passed over. A field without a file name is taken too, as UTF-8.
 *
 * @param field name of the form field
 * @throws MalformedBodyError the body is no multipart, or has no such file
 */
export function multipartFile(bytes: Uint8Array, contentType: string, field: string): Uint8Array {
  const { parts, fault } = readMultipart(bytes, contentType);
  const content = parts.find(({ name }) => name === field)?.content;
  if (content === undefined) throw fault ?? new MalformedBodyError(`The form has no file in a field "${field}".`);
  if (typeof content !== 'string') return content;
  if (content.includes(REPLACEMENT)) {
    throw new MalformedBodyError(`The field "${field}" is not valid UTF-8; save the file in UTF-8.`);
  }
  return Buffer.from(content);
}
