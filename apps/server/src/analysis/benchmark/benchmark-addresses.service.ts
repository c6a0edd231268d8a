import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { Clock } from '../../common/clock.js';
import { Links } from '../../common/http/links.js';

const KEY_BYTES = 16;

/** Keys of benchmarks, and the addresses with these keys. */
@Injectable()
export class BenchmarkAddressesService {
  constructor(
    private readonly links: Links,
    private readonly clock: Clock,
  ) {}

  newKey(): { key: string; createdAt: Date } {
    return { key: randomBytes(KEY_BYTES).toString('base64url'), createdAt: new Date(this.clock.now() * 1000) };
  }

  urlsOf(key: string): { status_url: string; chart_url: string } {
    const id = { benchmark_id: key };
    return { status_url: this.links.api('/benchmark/status', id), chart_url: this.links.api('/benchmark/chart', id) };
  }
}
