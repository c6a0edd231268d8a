import { Injectable } from '@nestjs/common';
import { AppError } from '../errors/app-error.js';
import { equalInConstantTime, Secrets } from '../secrets/secrets.js';

export class SignatureInvalidError extends AppError {
  constructor() {
    super('signature_invalid', 'The signature does not match this address; ask for a new link.');
  }
}

export class SignedUrlExpiredError extends AppError {
  constructor() {
    super('expired', 'This link is no longer valid; request a new one.');
  }
}

const PURPOSE = 'signed url';

/**
 * Signs the addresses of graphs and pictures that are read without credentials. The signature covers method GET, the
 * path below the host, and all other parameters sorted by name (then by value, when one is repeated).
 */
@Injectable()
export class UrlSignature {
  constructor(private readonly secrets: Secrets) {}

  /** The value of `sig`; a `sig` among the parameters is omitted. */
  sign(path: string, parameters: Iterable<readonly [string, string]>): string {
    return this.secrets.keyedHash(PURPOSE, signedText(path, parameters)).toString('base64url');
  }

  /**
   * The organisation whose graph may be shown.
   * @param now Unix seconds
   * @throws SignatureInvalidError, SignedUrlExpiredError
   */
  verify(path: string, parameters: URLSearchParams, now: number): number {
    const expected = this.secrets.keyedHashes(PURPOSE, signedText(path, parameters));
    const orgId = Number(parameters.get('org_id'));
    const expiry = Number(parameters.get('exp'));
    const given = parameters.get('sig') ?? '';
    if (!expected.some((hash) => equalInConstantTime(given, hash.toString('base64url'))))
      throw new SignatureInvalidError();
    if (!Number.isSafeInteger(orgId) || orgId < 1 || !Number.isSafeInteger(expiry)) throw new SignatureInvalidError();
    if (expiry < now) throw new SignedUrlExpiredError();
    return orgId;
  }
}

function signedText(path: string, parameters: Iterable<readonly [string, string]>): string {
  const pairs = [...parameters]
    .filter(([name]) => name !== 'sig')
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .sort();
  return `GET\n${normalPath(path)}\n${pairs.join('&')}`;
}

/** One spelling per path, regardless of changes of its percent-encoding by a proxy or mail program. */
function normalPath(path: string): string {
  return path
    .split('/')
    .map((segment) => encodeURIComponent(decodeURIComponent(segment)))
    .join('/');
}
