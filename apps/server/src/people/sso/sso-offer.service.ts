import { Injectable } from '@nestjs/common';
import { Links } from '../../common/http/links.js';
import { SsoConfig } from './sso.config.js';

/** The link to single sign-on on a login page. */
export interface SsoLink {
  /** Label of the button. */
  label: string;
  /** The address at which the browser starts this login. */
  url: string;
}

/** Shows whether people can log in with single sign-on. */
@Injectable()
export class SsoOfferService {
  constructor(
    private readonly config: SsoConfig,
    private readonly links: Links,
  ) {}

  get isOn(): boolean {
    return this.config.isConfigured;
  }

  /** The link, even if no provider is set up. */
  get link(): SsoLink {
    return { label: this.config.label, url: this.links.api('/login/sso') };
  }
}
