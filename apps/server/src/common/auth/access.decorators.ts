import { createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import { type Request } from 'express';
import { missingPermissions, type Permission } from '#libs/contracts';
import { type Caller, type KnownCaller, type UserCaller } from './caller.js';

/** The permissions of which a request needs one, depending on its parameters. */
type BitsFor = (request: Request) => number;

/** The callers that may use a route. Every route declares exactly one rule; the guard refuses a route without one. */
export type AccessRule =
  | { kind: 'public' }
  /** `needs`: all or one of the bits. `signedUrl`: a valid signature replaces the credential. */
  | { kind: 'permissions'; bits: number; needs: 'all' | 'any'; signedUrl: boolean; bitsFor?: BitsFor }
  /** `demo`: demo users may call it too. */
  | { kind: 'session'; demo: boolean }
  /** Section 5 of the contract: tokens only, found in more places, errors without envelope. */
  | { kind: 'ingest' };

export const ACCESS_RULE = Symbol('access rule');
export const SIDE_EFFECT = Symbol('side effect');

type AccessDecorator = MethodDecorator & ClassDecorator;

/** All of the permissions are needed. */
export const RequirePermissions = (...permissions: Permission[]): AccessDecorator =>
  access({ kind: 'permissions', bits: bitsOf(permissions), needs: 'all', signedUrl: false });

/** One of the permissions is needed; the service decides which actions the call may do. */
export const RequireAnyPermission = (...permissions: Permission[]): AccessDecorator =>
  access({ kind: 'permissions', bits: bitsOf(permissions), needs: 'any', signedUrl: false });

/** One of the permissions is needed; `bitsFor` chooses among them for each request. */
export const RequireOneFor = (bitsFor: BitsFor, ...permissions: Permission[]): AccessDecorator =>
  access({ kind: 'permissions', bits: bitsOf(permissions), needs: 'any', signedUrl: false, bitsFor });

/** Like RequirePermissions, or a URL that the service itself has signed. */
export const RequirePermissionsOrSignature = (...permissions: Permission[]): AccessDecorator =>
  access({ kind: 'permissions', bits: bitsOf(permissions), needs: 'all', signedUrl: true });

export const TOKEN_IN_HEADER = Symbol('token in header');

/**
 * The caller is that of a token in a header: `X-Auth-Token`, `Authorization` with Bearer, or the password of Basic. Sessions
 * and tokens in other places do not count.
 */
export const TokenInHeader = (): AccessDecorator => SetMetadata(TOKEN_IN_HEADER, true);

/** Open to all callers; wrong or expired credentials are ignored. */
export const Public = (): AccessDecorator => access({ kind: 'public' });

/**
 * Any logged-in user, for the user's own account; tokens get `session_required`, and demo users are allowed only with
 * `demo`.
 */
export const SessionOnly = (options: { demo?: boolean } = {}): AccessDecorator =>
  access({ kind: 'session', demo: options.demo ?? false });

/** An ingest path: the ingest area finds and checks the token. */
export const IngestAccess = (): AccessDecorator => access({ kind: 'ingest' });

/** A GET that changes something: cross-site requests by cookie and prefetches are refused, HEAD is 405. */
export const SideEffect = (): MethodDecorator => SetMetadata(SIDE_EFFECT, true);

export const ANY_SITE = Symbol('any site');

/** Other sites may send browsers here, even if the route changes something: it trusts nothing in the request. */
export const FromAnySite = (): MethodDecorator => SetMetadata(ANY_SITE, true);

export const BEGINS_SESSION = Symbol('begins session');

/**
 * The answer logs a browser in. Other sites may not send browsers here: an attacker could log the visitor in to the
 * attacker's account and see what the visitor does there.
 */
export const BeginsSession = (): MethodDecorator => SetMetadata(BEGINS_SESSION, true);

const access = (rule: AccessRule): AccessDecorator => SetMetadata(ACCESS_RULE, rule);

/** The rule in the words of the contract: `none`, `read`, `read*` (or a signed address), `admin|alert`, `session`. */
export function accessName(rule: AccessRule): string {
  switch (rule.kind) {
    case 'public':
      return 'none';
    case 'permissions':
      return missingPermissions(0, rule.bits).join(rule.needs === 'all' ? '+' : '|') + (rule.signedUrl ? '*' : '');
    default:
      return rule.kind;
  }
}

function bitsOf(permissions: readonly Permission[]): number {
  return permissions.reduce((bits, bit) => bits | bit, 0);
}

/** The caller of a protected route (guards have let it through). */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): KnownCaller => {
  return context.switchToHttp().getRequest<Request & { caller: KnownCaller }>().caller;
});

/** The user of a `SessionOnly` route. */
export const CurrentUser = createParamDecorator((_: unknown, context: ExecutionContext): UserCaller => {
  return context.switchToHttp().getRequest<Request & { caller: UserCaller }>().caller;
});

/** The caller of a public route, if any. */
export const AnyCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  return context.switchToHttp().getRequest<Request & { caller: Caller }>().caller;
});
