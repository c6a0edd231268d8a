import { createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import { type Request } from 'express';
import { type Permission } from '#libs/contracts';
import { type Caller, type KnownCaller, type UserCaller } from './caller.js';

/** Who may call a route. Every route declares exactly one; the guard refuses a route that says nothing. */
export type AccessRule =
  | { kind: 'public' }
  /** `signedUrl`: a valid signature stands in for the credential. */
  | { kind: 'permissions'; bits: number; signedUrl: boolean }
  | { kind: 'session' }
  /** Section 5 of the contract: tokens only, found in more places, errors without envelope. */
  | { kind: 'ingest' };

export const ACCESS_RULE = Symbol('access rule');
export const SIDE_EFFECT = Symbol('side effect');

/** All of the permissions are needed. */
export const RequirePermissions = (...permissions: Permission[]): MethodDecorator & ClassDecorator =>
  SetMetadata(ACCESS_RULE, {
    kind: 'permissions',
    bits: permissions.reduce((bits, bit) => bits | bit, 0),
    signedUrl: false,
  } satisfies AccessRule);

/** Like RequirePermissions, or a URL that the service itself has signed. */
export const RequirePermissionsOrSignature = (...permissions: Permission[]): MethodDecorator & ClassDecorator =>
  SetMetadata(ACCESS_RULE, {
    kind: 'permissions',
    bits: permissions.reduce((bits, bit) => bits | bit, 0),
    signedUrl: true,
  } satisfies AccessRule);

/** Open to everybody; wrong or expired credentials are ignored. */
export const Public = (): MethodDecorator & ClassDecorator =>
  SetMetadata(ACCESS_RULE, { kind: 'public' } satisfies AccessRule);

/** Any logged-in user, acting on the own account; tokens get `session_required`. */
export const SessionOnly = (): MethodDecorator & ClassDecorator =>
  SetMetadata(ACCESS_RULE, { kind: 'session' } satisfies AccessRule);

export const IngestAccess = (): MethodDecorator & ClassDecorator =>
  SetMetadata(ACCESS_RULE, { kind: 'ingest' } satisfies AccessRule);

/** A GET that changes something: cross-site requests by cookie and prefetches are refused, HEAD is 405. */
export const SideEffect = (): MethodDecorator => SetMetadata(SIDE_EFFECT, true);

/** The caller of a protected route (guards have let it through). */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): KnownCaller => {
  return context.switchToHttp().getRequest<Request & { caller: KnownCaller }>().caller;
});

/** The user of a `SessionOnly` route. */
export const CurrentUser = createParamDecorator((_: unknown, context: ExecutionContext): UserCaller => {
  return context.switchToHttp().getRequest<Request & { caller: UserCaller }>().caller;
});

/** The caller of a public route: perhaps nobody. */
export const AnyCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  return context.switchToHttp().getRequest<Request & { caller: Caller }>().caller;
});
