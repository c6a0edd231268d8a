import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Response } from 'express';
import { Links } from '../../common/http/links.js';
import { type Page, PageAnswers } from '../../common/http/page-answers.js';
import { SsoOfferService } from '../../people/sso/sso-offer.service.js';
import { openConsoleBuild } from './console-build.js';
import { ConsoleConfig } from './console.config.js';
import { docsSite, type NoPage } from './docs-site.js';
import { contentOf, noDocument } from './page-contents.js';
import { PAGE_CONTENT_POLICY, renderPage } from './page-layout.js';
import { type PageContent } from './page.types.js';

/**
 * Answers the paths outside of the API: those below /docs with the documents, all others with the console, or, if it is
 * switched off or was not built, with pages that need nothing but the API.
 */
@Injectable()
export class PageService implements OnModuleInit {
  /** Whether browsers get the console, once the module has been initialised. */
  hasConsole = false;

  constructor(
    private readonly answers: PageAnswers,
    private readonly links: Links,
    private readonly sso: SsoOfferService,
    private readonly config: ConsoleConfig,
  ) {}

  onModuleInit(): void {
    const build = this.config.mode === 'on' ? openConsoleBuild() : null;
    this.hasConsole = build !== null;
    this.answers.registerFiles(docsSite((why, response) => this.sendNoDocument(why, response)));
    if (build) {
      this.answers.registerFiles(build.files);
      this.answers.register((_path, _parameters, hasSession) => build.page(hasSession));
    } else {
      this.answers.register((path, parameters) => this.makePage(path, parameters));
    }
  }

  makePage(path: string, parameters: URLSearchParams): Page {
    const sso = this.sso.isOn ? this.sso.link : null;
    return this.pageOf(contentOf(path, parameters, this.links.api(''), sso));
  }

  private sendNoDocument(why: NoPage, response: Response): void {
    const { html, contentPolicy } = this.pageOf(noDocument(why, this.links.api(''), this.links.console('/docs/')));
    response.setHeader('Content-Security-Policy', contentPolicy);
    response.type('html').send(html);
  }

  private pageOf(content: PageContent): Page {
    return {
      html: renderPage(content, new URL(content.apiUrl).pathname),
      contentPolicy: PAGE_CONTENT_POLICY,
    };
  }
}
