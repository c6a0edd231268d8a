import { MalformedBodyError } from '../../common/http/http.errors.js';
import { multipartParts } from '../../common/http/multipart.js';

/**
 * The content of a file in a `multipart/form-data` body that is in memory: a part of the given bytes, not a copy. Other
 * parts are passed over.
 *
 * @param field name of the form field
 * @throws MalformedBodyError the body is no multipart, or has no such file
 */
export function multipartFile(bytes: Uint8Array, contentType: string, field: string): Uint8Array {
  for (const { name, content } of multipartParts(bytes, contentType)) if (name === field) return content;
  throw new MalformedBodyError(`The form has no file in a field "${field}".`);
}
