import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestHandler, type Response } from 'express';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Links } from '../../common/http/links.js';
import { type Page, PageAnswers } from '../../common/http/page-answers.js';
import { SsoOfferService } from '../../people/sso/sso-offer.service.js';
import { ConsoleConfig } from './console.config.js';
import { docsSite, type NoPage } from './docs-site.js';
import { contentOf, noDocument } from './page-contents.js';
import { PAGE_CONTENT_POLICY, renderPage } from './page-layout.js';
import { type PageContent } from './page.types.js';
import { readBuiltFiles, sendBuiltFile } from './static-files.js';

/** The build of apps/console: next to the compiled server. */
const FOLDER = join(import.meta.dirname, '../../../../../console');
const NONCE_MARK = '__CSP_NONCE__';
/**
 * Replaced by whether the browser presents a session, for the script that requests data before the console is loaded.
 */
const SESSION_MARK = '__HAS_SESSION__';
/** Caching of files whose names stay the same: the icon, the licences. */
const UNHASHED = 'public, max-age=3600';

/** The built console: one page for all of its paths, and the files that it loads. */
interface ConsoleBuild {
  page(hasSession: boolean): Page;
  /** Serves the files of the build, and passes on all other paths. */
  files: RequestHandler;
}

/**
 * Answers the paths outside of the API: those below /docs with the documents, all others with the console, or, if it is
 * switched off or was not built, with pages that need only the API.
 */
@Injectable()
export class PageService implements OnModuleInit {
  /** True if browsers get the console; valid after the module has been initialised. */
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

/** Null if the console was not built. The build is read once: changes need a restart. */
export function openConsoleBuild(folder = FOLDER): ConsoleBuild | null {
  if (!existsSync(join(folder, 'index.html'))) return null;
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  const files = readBuiltFiles(folder);
  return {
    page(hasSession) {
      const nonce = randomBytes(16).toString('base64url');
      const whole = html.replaceAll(NONCE_MARK, nonce).replaceAll(SESSION_MARK, String(hasSession));
      return { html: whole, contentPolicy: contentPolicy(nonce) };
    },
    files: (request, response, next) => {
      const file = files.get(request.path);
      if (file) sendBuiltFile(request, response, file, UNHASHED);
      else next();
    },
  };
}

/** Scripts and styles of this server only; style sheets that components create carry the nonce. */
function contentPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "font-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
