import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Links } from '../../common/http/links.js';
import { type Page, PageAnswers } from '../../common/http/page-answers.js';
import { LoginMethods } from '../../people/sso/login-methods.service.js';
import { contentOf } from './page-contents.js';
import { PAGE_CONTENT_POLICY, renderPage } from './page-layout.js';

/** Answers the addresses of the console with pages that need nothing but the API. */
@Injectable()
export class PageService implements OnModuleInit {
  constructor(
    private readonly answers: PageAnswers,
    private readonly links: Links,
    private readonly loginMethods: LoginMethods,
  ) {}

  onModuleInit(): void {
    this.answers.register((path, parameters) => this.makePage(path, parameters));
  }

  makePage(path: string, parameters: URLSearchParams): Page {
    const apiUrl = this.links.api('');
    return {
      html: renderPage(contentOf(path, parameters, apiUrl, this.loginMethods.list().sso), new URL(apiUrl).pathname),
      contentPolicy: PAGE_CONTENT_POLICY,
    };
  }
}
