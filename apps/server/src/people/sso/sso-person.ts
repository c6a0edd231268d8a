import { type SsoConfig } from './sso.config.js';
import { SsoRefusedError } from './sso.errors.js';
import { type SsoPerson } from './sso.types.js';

export type Claims = Readonly<Record<string, unknown>>;

const LONGEST_NAME = 100;
/** Maximum length in the standard (OpenID Connect Core, 2), in characters. */
const LONGEST_SUBJECT = 255;
/** Meaningless in an identifier, and the database cannot store NUL. */
const CONTROL = /[\p{Cc}\p{Cs}]/u;

/**
 * Reads a person from claims. A claim of a wrong type counts as missing.
 * @throws SsoRefusedError for a subject that is not an identifier
 */
export function personOf(issuer: string, subject: string, claims: Claims, config: SsoConfig): SsoPerson {
  if (subject === '' || subject.length > LONGEST_SUBJECT || CONTROL.test(subject)) {
    throw new SsoRefusedError(
      'The provider sent a subject that is not valid: 1 to 255 characters, no control characters.',
    );
  }
  const given = typeof claims.email === 'string' ? claims.email.trim() : '';
  const email = given === '' || CONTROL.test(given) ? null : given;
  // Some providers send the value as text.
  const said = claims.email_verified === 'true' ? true : claims.email_verified;
  const isEmailConfirmed = email !== null && (said === true || (said === undefined && config.trustEmail));
  return { issuer, subject, email, isEmailConfirmed, name: nameOf(claims), isAdmin: isAdminBy(claims, config) };
}

function nameOf(claims: Claims): string {
  const parts = [claims.given_name, claims.family_name].filter((part) => typeof part === 'string');
  const name = typeof claims.name === 'string' ? claims.name : parts.join(' ');
  const clean = name
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cs}]+/gu, ' ')
    .trim();
  return Array.from(clean).slice(0, LONGEST_NAME).join('');
}

function isAdminBy(claims: Claims, { adminClaim, adminValue }: SsoConfig): boolean | null {
  if (adminClaim === undefined) return null;
  const value = claimAt(claims, adminClaim);
  const values: unknown[] = Array.isArray(value) ? value : [value];
  return values.some((item) => ['string', 'number', 'boolean'].includes(typeof item) && String(item) === adminValue);
}

/** Claims may have dots in their names (`https://example.org/roles`), so the whole name is tried first. */
export function claimAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  let place: unknown = claims;
  for (const step of path.split('.')) {
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, step)) return undefined;
    place = (place as Claims)[step];
  }
  return place;
}
