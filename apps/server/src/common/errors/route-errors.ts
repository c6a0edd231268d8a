import { ERROR_STATUS, type ErrorCode, Permission } from '#libs/contracts';
import { type AccessRule, ANY_SITE, BEGINS_SESSION } from '../auth/access.decorators.js';
import { type Route } from '../http/route-table.js';
import { THROWS } from './throws.decorator.js';

/** Errors of every call: they concern the service, not the request. */
export const SERVICE_ERRORS: readonly ErrorCode[] = ['method_not_allowed', 'internal_error', 'not_ready', 'overloaded'];

/** Also if the body is read as raw bytes: its compression may be unsupported. */
const BODY_ERRORS: readonly ErrorCode[] = ['malformed_body', 'too_large', 'unsupported_media_type'];

/**
 * Error codes of a route by HTTP status, in addition to `SERVICE_ERRORS`: those that its decorators imply, and those
 * that it names with `@Throws`. For routes with envelope; the ingest paths have different errors.
 */
export function errorsOf(route: Route): ReadonlyMap<number, readonly ErrorCode[]> {
  const codes = new Set<ErrorCode>([
    // Parameters that a call does not know are refused too.
    'validation_failed',
    'rate_limited',
    ...(route.method === 'GET' ? [] : BODY_ERRORS),
    ...(route.access ? accessErrors(route.access) : []),
    ...(refusesOtherSites(route) ? (['cross_site_refused'] as const) : []),
    ...(route.path.includes(':') ? (['not_found'] as const) : []),
    ...((Reflect.getMetadata(THROWS, route.handler) ?? []) as ErrorCode[]),
  ]);
  const byStatus = new Map<number, ErrorCode[]>();
  // In the order of the catalogue, so that the order of decorators changes nothing.
  for (const code of (Object.keys(ERROR_STATUS) as ErrorCode[]).filter((known) => codes.has(known))) {
    byStatus.set(ERROR_STATUS[code], [...(byStatus.get(ERROR_STATUS[code]) ?? []), code]);
  }
  return byStatus;
}

function accessErrors(rule: AccessRule): ErrorCode[] {
  const credential: ErrorCode[] = ['not_authenticated', 'session_expired', 'token_expired'];
  switch (rule.kind) {
    case 'permissions': {
      // A demo user may only read.
      const isOfReaders = rule.needs === 'any' ? (rule.bits & Permission.Read) !== 0 : rule.bits === Permission.Read;
      const isForDemo = isOfReaders && rule.bitsFor === undefined;
      return [
        ...credential,
        'permission_denied',
        ...(isForDemo ? [] : (['demo_account'] as const)),
        ...(rule.signedUrl ? (['signature_invalid', 'expired'] as const) : []),
      ];
    }
    case 'session':
      return [...credential, 'session_required', ...(rule.demo ? [] : (['demo_account'] as const))];
    default:
      return [];
  }
}

function refusesOtherSites({ handler, isSideEffect }: Route): boolean {
  const isOpen = Reflect.getMetadata(ANY_SITE, handler) === true;
  return (isSideEffect && !isOpen) || Reflect.getMetadata(BEGINS_SESSION, handler) === true;
}
