import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { Links } from '../../common/http/links.js';
import { ReadinessRegistry } from '../../common/telemetry/readiness.js';
import { type HealthDto, type QueryAnswerDto, type QueryErrorDto } from './dto/influx-client.dto.js';
import { type IngestAnswer, type ReceivedBody } from './ingest.types.js';

/** Time for which an answer about the readiness is shared with other callers: the checks query the database. */
const HEALTH_SECONDS = 1;
const CREATE_DATABASE = /^\s*create\s+database\s/i;

/** Answers the calls that clients of InfluxDB make before they write. */
@Injectable()
export class InfluxClientsService {
  private health: Promise<HealthDto> | undefined;
  private askedAt = -Infinity;

  constructor(
    private readonly readiness: ReadinessRegistry,
    private readonly links: Links,
    private readonly clock: Clock,
  ) {}

  /** Whether the process is ready. Failed checks concern only operators and are not included. */
  getHealth(): Promise<HealthDto> {
    const now = this.clock.now();
    if (this.health === undefined || Math.abs(now - this.askedAt) >= HEALTH_SECONDS) {
      this.health = this.check();
      this.askedAt = now;
    }
    return this.health;
  }

  /**
   * A query in the parameter `q` or in a form: `CREATE DATABASE` needs no action, and no other statement is answered.
   */
  answerQuery(received: ReceivedBody): IngestAnswer {
    const query = received.parameter('q') ?? new URLSearchParams(Buffer.from(received.bytes).toString()).get('q') ?? '';
    received.release();
    if (CREATE_DATABASE.test(query)) {
      return { status: 200, body: { results: [{ statement_id: 0 }] } satisfies QueryAnswerDto };
    }
    const problem = query === '' ? 'missing required parameter "q"' : 'queries of InfluxDB are not answered here';
    const error =
      `${problem}: read with GET ${this.links.api('/metrics/search')} and ` +
      `GET ${this.links.api('/metric/{metric_name}/timeseries')}, described at ${this.links.api('/doc')}`;
    return { status: 400, body: { error } satisfies QueryErrorDto };
  }

  private async check(): Promise<HealthDto> {
    const isReady = (await this.readiness.run()).every(({ ok }) => ok);
    return { name: 'plumbline', status: isReady ? 'pass' : 'fail', message: isReady ? 'ready' : 'not ready' };
  }
}
