import { Injectable } from '@nestjs/common';
import { type RequestHandler } from 'express';
import { contextOf, type ErrorBody } from './request-context.js';

/**
 * Calls outside the API base that implement the protocol of another product. Their areas define here how errors are
 * written, including those of unknown paths, and of callers that are refused before a handler runs.
 */
@Injectable()
export class ForeignPaths {
  private readonly forms = new Map<string, ErrorBody>();

  /** @param beginning common prefix of all paths of the protocol */
  register(beginning: string, errorBody: ErrorBody): void {
    this.forms.set(beginning, errorBody);
  }

  middleware(): RequestHandler {
    return (request, _response, next) => {
      for (const [beginning, errorBody] of this.forms) {
        if (request.path.startsWith(beginning)) contextOf(request).errorBody = errorBody;
      }
      next();
    };
  }
}
