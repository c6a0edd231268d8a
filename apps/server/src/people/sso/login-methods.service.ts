import { Injectable } from '@nestjs/common';
import { Links } from '../../common/http/links.js';
import { type LoginMethodsDto } from './dto/sso-answers.dto.js';
import { SsoConfig } from './sso.config.js';

/** The ways to log in here. */
@Injectable()
export class LoginMethods {
  constructor(
    private readonly config: SsoConfig,
    private readonly links: Links,
  ) {}

  list(): LoginMethodsDto {
    const sso = this.config.isConfigured ? { label: this.config.label, url: this.links.api('/login/sso') } : null;
    return { password: true, sso };
  }
}
