import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { Permission } from '#libs/contracts';
import { Clock } from '../../clock.js';
import { type CredentialFindings, type EdgeRequest } from '../../http/request-context.js';
import { CredentialDirectory, type TokenCaller } from '../caller.js';
import { SignatureInvalidError, UrlSignature } from '../url-signature.js';
import { CredentialStrategy, type Validation } from './credential.strategy.js';

export interface SignedAddressOptions {
  /** Whether a signature replaces the credential on this route. */
  takesSignature?: boolean;
}

/** The reader of a signed address: a caller with only `read` in the organisation of the address. */
@Injectable()
export class SignedAddressStrategy extends PassportStrategy(CredentialStrategy) {
  constructor(
    private readonly directory: CredentialDirectory,
    private readonly signature: UrlSignature,
    private readonly clock: Clock,
  ) {
    super('signed-address');
  }

  /**
   * An error ends the chain of strategies: other credentials of a request with a bad signature do not count.
   * @throws SignatureInvalidError, SignedUrlExpiredError
   */
  override async validate(
    request: EdgeRequest,
    { takesSignature = false }: SignedAddressOptions,
  ): Promise<Validation<TokenCaller, CredentialFindings>> {
    if (!takesSignature || request.query.sig === undefined) return [false];
    const url = new URL(request.originalUrl, 'http://localhost');
    // The signature covers only the address.
    if (Object.keys((request.body ?? {}) as object).length > 0) throw new SignatureInvalidError();
    const orgId = this.signature.verify(url.pathname.replace(/(.)\/$/, '$1'), url.searchParams, this.clock.now());
    const org = await this.directory.findOrg(orgId);
    if (org === 'unknown') throw new SignatureInvalidError();
    return [{ kind: 'token', org, permissions: Permission.Read, tokenRef: 0 }, { isSigned: true }];
  }
}
