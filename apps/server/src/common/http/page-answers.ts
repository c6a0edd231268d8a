import { Injectable } from '@nestjs/common';
import { type RequestHandler, Router } from 'express';
import { readCookie, SESSION_COOKIE } from './answer.js';
import { isForeignPath, isIngestPath } from './api-paths.js';
import { API_PREFIX, Links } from './links.js';

/** A page for people: HTML, and the content policy that it needs. */
export interface Page {
  html: string;
  contentPolicy: string;
}

/**
 * Makes the page of a path outside of the API; `parameters` are those of the query. `hasSession`: the browser presents one,
 * which may have ended.
 */
export type PageMaker = (path: string, parameters: URLSearchParams, hasSession: boolean) => Page;

const IS_FILE = /^\/(?:assets\/|docs(?:$|\/)|guide\/|favicon\.svg$|licences\.md$)/;

/** True for the path of a file that pages load, or of a document. */
export function isPageFile(path: string): boolean {
  return IS_FILE.test(path);
}

/**
 * The area with the pages registers here how they are rendered. Without it, paths outside the API are unknown, except
 * the first one, where programs find the addresses.
 */
@Injectable()
export class PageAnswers {
  private maker: PageMaker | undefined;
  private readonly files = Router();

  constructor(private readonly links: Links) {}

  register(maker: PageMaker): void {
    this.maker = maker;
  }

  /**
   * Serves files: the documents below /docs, and the files that pages load: paths below /assets, the icon, and the
   * licences of their packages. The first handler that accepts a path answers.
   */
  registerFiles(files: RequestHandler): void {
    this.files.use(files);
  }

  /**
   * Answers a GET outside the API from a client that reads HTML; programs get the API answer for an unknown path, and a
   * line with addresses at the first one. Pages need no credentials, and change nothing.
   */
  middleware(): RequestHandler {
    return (request, response, next) => {
      const isGet = request.method === 'GET' || request.method === 'HEAD';
      const { maker, files } = this;
      const isStart = request.path === '/';
      if (!(maker || isStart) || !isGet || !isOutsideApi(request.path)) {
        next();
        return;
      }
      if (isPageFile(request.path)) {
        files(request, response, next);
        return;
      }
      response.vary('Accept');
      const isForPeople = request.accepts(['json', 'html']) === 'html';
      if (isStart && !(maker && isForPeople)) {
        response.type('text').send(this.addresses());
        return;
      }
      if (!maker || !isForPeople) {
        next();
        return;
      }
      const queryStart = request.url.indexOf('?');
      const parameters = new URLSearchParams(queryStart < 0 ? '' : request.url.slice(queryStart + 1));
      const hasSession = readCookie(request, SESSION_COOKIE) !== undefined;
      const { html, contentPolicy } = maker(request.path, parameters, hasSession);
      response.setHeader('Content-Security-Policy', contentPolicy);
      response.type('html').send(html);
    };
  }

  /** For programs, and for people who use them. */
  private addresses(): string {
    const { links } = this;
    return `Plumbline: console ${links.console('/')}, API ${links.api('')}, its description ${links.api('/doc')}, documentation ${links.console('/docs/')}\n`;
  }
}

function isOutsideApi(path: string): boolean {
  const isApi = path === API_PREFIX || path.startsWith(`${API_PREFIX}/`);
  return !isApi && !isIngestPath(path) && !isForeignPath(path) && !path.startsWith('/v1/');
}
