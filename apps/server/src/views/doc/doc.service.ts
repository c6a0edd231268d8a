import { Injectable } from '@nestjs/common';
import { type OpenAPIObject } from '@nestjs/swagger';
import { AppError } from '../../common/errors/app-error.js';

/** Holds the description of the running API. */
@Injectable()
export class DocService {
  private document: Buffer | undefined;

  /** Called once at start, when all controllers are known. */
  publish(document: OpenAPIObject): void {
    this.document = Buffer.from(JSON.stringify(document));
  }

  openapi(): Buffer {
    if (!this.document) throw new AppError('not_ready', 'The service is starting.', [], 1);
    return this.document;
  }
}
