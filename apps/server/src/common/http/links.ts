import { Injectable } from '@nestjs/common';
import { DAY } from '../time.js';
import { UrlSignature } from '../auth/url-signature.js';
import { Clock } from '../clock.js';
import { ServerConfig } from '../config/server.config.js';

export type LinkParameters = Readonly<Record<string, string | number | boolean | undefined>>;

/** All API paths are below it. */
export const API_PREFIX = '/api';

const SIGNED_LINK_SECONDS = 30 * DAY;

/**
 * Absolute addresses for answers, mails and chat. They are built from the configured public address, never from the
 * headers of a request. The caller percent-encodes names in paths (`encodeURIComponent`).
 */
@Injectable()
export class Links {
  constructor(
    private readonly config: ServerConfig,
    private readonly signature: UrlSignature,
    private readonly clock: Clock,
  ) {}

  /** Of an API path, such as `/metric/web-1.cpu/graph`. */
  api(path: string, parameters: LinkParameters = {}): string {
    return this.config.publicUrl + API_PREFIX + path + queryOf(parameters);
  }

  /** Of a page of the console, such as `/anomaly/12`. */
  console(path: string, parameters: LinkParameters = {}): string {
    return this.config.publicUrl + path + queryOf(parameters);
  }

  /** Of an ingest path, such as `/ingest/metrics`. */
  ingest(path: string): string {
    return this.config.ingestUrl + path;
  }

  /** Of a graph or picture, readable for 30 days by anyone who has the link. */
  signed(orgId: number, path: string, parameters: LinkParameters = {}): string {
    const expiry = Math.floor(this.clock.now()) + SIGNED_LINK_SECONDS;
    const query = new URLSearchParams(queryOf({ ...parameters, org_id: orgId, exp: expiry }));
    query.set('sig', this.signature.sign(API_PREFIX + path, query));
    return `${this.config.publicUrl}${API_PREFIX}${path}?${query.toString()}`;
  }
}

function queryOf(parameters: LinkParameters): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, String(value));
  return query.size === 0 ? '' : `?${query.toString()}`;
}
