import { Injectable } from '@nestjs/common';
import { type OpenAPIObject } from '@nestjs/swagger';
import { ServerConfig } from '../../common/config/server.config.js';
import { AppError, NotFoundError } from '../../common/errors/app-error.js';
import { API_PREFIX } from '../../common/http/links.js';
import { type JsonSchema } from './config-schema.js';
import { type DocAsset, docAsset, docContentPolicy, docPage } from './doc-page.js';
import { withAddresses } from './openapi.js';

/** Holds the description of the running API, the page that shows it, and the schema of configuration documents. */
@Injectable()
export class DocService {
  private document: (() => Buffer) | undefined;
  private schema: (() => Buffer) | undefined;
  private readonly assets = new Map<string, DocAsset>();

  constructor(private readonly config: ServerConfig) {}

  /**
   * Called once at start, when all controllers and kinds of documents are registered. Both documents are generated at
   * the first request: the description of the API takes more than a second of processor time, and most processes never
   * show it.
   */
  publish(describeApi: () => OpenAPIObject, describeConfig: () => JsonSchema): void {
    this.document = lazily(() => withAddresses(describeApi(), this.config));
    this.schema = lazily(describeConfig);
  }

  openapi(): Buffer {
    return published(this.document);
  }

  configSchema(): Buffer {
    return published(this.schema);
  }

  /** The HTML and its content policy. */
  page(): { html: string; contentPolicy: string } {
    const { publicUrl, ingestUrl } = this.config;
    const apiPath = new URL(publicUrl + API_PREFIX).pathname;
    const origins = [publicUrl, ingestUrl].map((url) => new URL(url).origin);
    return { html: docPage(apiPath), contentPolicy: docContentPolicy(origins) };
  }

  /** A file of the page. @throws NotFoundError */
  asset(name: string): DocAsset {
    const asset = this.assets.get(name) ?? docAsset(name);
    if (!asset) throw new NotFoundError();
    this.assets.set(name, asset);
    return asset;
  }
}

function lazily(make: () => object): () => Buffer {
  let bytes: Buffer | undefined;
  return () => (bytes ??= Buffer.from(JSON.stringify(make())));
}

function published(document: (() => Buffer) | undefined): Buffer {
  if (!document) throw new AppError('not_ready', 'The service is starting.', [], 1);
  return document();
}
