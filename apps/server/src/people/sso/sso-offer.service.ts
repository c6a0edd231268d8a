import { Injectable } from '@nestjs/common';
import { Links } from '../../common/http/links.js';
import { SsoConfig } from './sso.config.js';

/** The link to the single sign-on on a login page. */
export interface SsoLink {
  /** Name of the button. */
  label: string;
  /** The address at which the browser begins this login. */
  url: string;
}

/** Whether people can log in by the single sign-on here. */
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
