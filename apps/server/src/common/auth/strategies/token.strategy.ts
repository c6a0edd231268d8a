import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { type CredentialFindings, type EdgeRequest } from '../../http/request-context.js';
import { CredentialDirectory, type TokenCaller } from '../caller.js';
import { presentedToken } from '../credentials.js';
import { CredentialStrategy, type Validation } from './credential.strategy.js';

const MAX_TOKEN_LENGTH = 200;

export interface TokenOptions {
  /** Finds a token in a place that only this route reads; default: the places of the API. */
  token?: string;
}

export type TokenValidation = Validation<TokenCaller, CredentialFindings, 'token_expired'>;

/** The organisation of a token. */
@Injectable()
export class TokenStrategy extends PassportStrategy(CredentialStrategy) {
  constructor(private readonly directory: CredentialDirectory) {
    super('token');
  }

  override validate(request: EdgeRequest, options: TokenOptions): Promise<TokenValidation> {
    return this.check(options.token ?? presentedToken(request));
  }

  /** The same for protocols that have no requests. */
  async check(token: string | undefined): Promise<TokenValidation> {
    if (token === undefined || token.length > MAX_TOKEN_LENGTH) return [false];
    const found = await this.directory.findToken(token);
    if (found === 'expired') return [false, 'token_expired'];
    return found === 'unknown' ? [false] : [found, { isSigned: false }];
  }
}
