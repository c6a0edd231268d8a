import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Links } from '../../common/http/links.js';
import { type Page, PageAnswers } from '../../common/http/page-answers.js';
import { SsoOffer } from '../../people/sso/sso-offer.service.js';
import { openConsoleBuild } from './console-build.js';
import { ConsoleConfig } from './console.config.js';
import { contentOf } from './page-contents.js';
import { PAGE_CONTENT_POLICY, renderPage } from './page-layout.js';

/**
 * Answers the paths outside of the API: with the console, or, where it is switched off or was not built, with pages that
 * need nothing but the API.
 */
@Injectable()
export class PageService implements OnModuleInit {
  /** Whether browsers get the console, once the module has been initialised. */
  hasConsole = false;

  constructor(
    private readonly answers: PageAnswers,
    private readonly links: Links,
    private readonly sso: SsoOffer,
    private readonly config: ConsoleConfig,
  ) {}

  onModuleInit(): void {
    const build = this.config.mode === 'on' ? openConsoleBuild() : null;
    this.hasConsole = build !== null;
    if (build) this.answers.register((_path, _parameters, hasSession) => build.page(hasSession), build.files);
    else this.answers.register((path, parameters) => this.makePage(path, parameters));
  }

  makePage(path: string, parameters: URLSearchParams): Page {
    const apiUrl = this.links.api('');
    const sso = this.sso.isOn ? this.sso.way : null;
    return {
      html: renderPage(contentOf(path, parameters, apiUrl, sso), new URL(apiUrl).pathname),
      contentPolicy: PAGE_CONTENT_POLICY,
    };
  }
}
