import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import { type Response } from 'express';
import { AnswerHead } from '../http/answer.js';
import { contextOf, type CredentialFindings, type EdgeRequest } from '../http/request-context.js';
import { ACCESS_RULE, type AccessRule, TOKEN_IN_HEADER } from './access.decorators.js';
import { type Caller, type KnownCaller } from './caller.js';
import { headerToken } from './credentials.js';
import { SessionStrategy } from './strategies/session.strategy.js';
import { type SignedAddressOptions, SignedAddressStrategy } from './strategies/signed-address.strategy.js';
import { TokenStrategy } from './strategies/token.strategy.js';
import { SignatureInvalidError, SignedUrlExpiredError } from './url-signature.js';

type Fault = CredentialFindings['fault'];

const ANONYMOUS: Caller = { kind: 'anonymous' };

/**
 * First guard: fills `request.caller` from headers, cookie and query. A body that names a caller is read later; the
 * guard then runs again. The strategies are asked in the order signed address (if the route accepts one), session,
 * token; the first that knows the caller ends the search. This guard refuses no request: it keeps the reason in the
 * context of the request, and the access guard refuses.
 */
@Injectable()
export class CredentialGuard extends AuthGuard() {
  constructor(
    private readonly reflector: Reflector,
    signedAddress: SignedAddressStrategy,
    session: SessionStrategy,
    private readonly tokens: TokenStrategy,
  ) {
    super({ defaultStrategy: [signedAddress.name, session.name, tokens.name], property: 'caller', session: false });
  }

  override async canActivate(execution: ExecutionContext): Promise<boolean> {
    const http = execution.switchToHttp();
    const request = http.getRequest<EdgeRequest>();
    request.caller = ANONYMOUS;
    if (this.ruleOf(execution)?.kind === 'ingest') return true;
    if (this.isByHeader(execution)) await this.identifyByHeader(request);
    else await super.canActivate(execution);
    return true;
  }

  private async identifyByHeader(request: EdgeRequest): Promise<void> {
    const [caller, found] = await this.tokens.check(headerToken(request));
    if (caller) {
      request.caller = caller;
      contextOf(request).credential = found;
    } else {
      contextOf(request).credential = { fault: found ?? 'not_authenticated', isSigned: false };
    }
  }

  /** Renews the cookie if necessary. Call it when no other credential can be found any more. */
  renewCookie(execution: ExecutionContext): void {
    const http = execution.switchToHttp();
    const request = http.getRequest<EdgeRequest>();
    const { caller } = request;
    const isByCookie = contextOf(request).credential.sessionSource === 'cookie';
    if (caller?.kind === 'user' && isByCookie && caller.renewCookieSeconds !== undefined) {
      new AnswerHead(request, http.getResponse<Response>()).startSession(caller.sessionId, caller.renewCookieSeconds);
    }
  }

  override getAuthenticateOptions(execution: ExecutionContext): SignedAddressOptions {
    const rule = this.ruleOf(execution);
    return { takesSignature: rule?.kind === 'permissions' && rule.signedUrl };
  }

  /** `info`: the findings of the strategy that found the caller, or the fault of each strategy. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the signature is that of AuthGuard
  override handleRequest<User = Caller>(
    error: unknown,
    caller: KnownCaller | false | undefined,
    info: CredentialFindings | Fault[] | undefined,
    execution: ExecutionContext,
  ): User {
    const context = contextOf(execution.switchToHttp().getRequest<EdgeRequest>());
    if (caller) {
      context.credential = info as CredentialFindings;
      return caller as User;
    }
    const faults = error === null || error === undefined ? (info as Fault[]) : [signatureFault(error)];
    context.credential = { fault: faults.find((fault) => fault !== undefined) ?? 'not_authenticated', isSigned: false };
    return ANONYMOUS as User;
  }

  private isByHeader(execution: ExecutionContext): boolean {
    const targets = [execution.getHandler(), execution.getClass()];
    return this.reflector.getAllAndOverride<boolean | undefined>(TOKEN_IN_HEADER, targets) === true;
  }

  private ruleOf(execution: ExecutionContext): AccessRule | undefined {
    return this.reflector.getAllAndOverride<AccessRule | undefined>(ACCESS_RULE, [
      execution.getHandler(),
      execution.getClass(),
    ]);
  }
}

/** @throws the error itself, if it does not concern a signature */
function signatureFault(error: unknown): Fault {
  if (error instanceof SignedUrlExpiredError) return 'signature_expired';
  if (error instanceof SignatureInvalidError) return 'signature_invalid';
  throw error;
}
