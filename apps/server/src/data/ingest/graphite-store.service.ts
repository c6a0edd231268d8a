import { Injectable, Logger } from '@nestjs/common';
import { Counter } from 'prom-client';
import { type GraphiteBatch, type ParseLimits } from '#libs/protocols';
import { Clock } from '../../common/clock.js';
import { AppError } from '../../common/errors/app-error.js';
import { messageOf } from '../../common/errors/message-of.js';
import { MetricsRegistry } from '../../common/telemetry/metrics.js';
import { tokenOfAddress } from './graphite-tokens.js';
import { GraphiteConfig } from './graphite.config.js';
import { IngestGateService } from './ingest-gate.service.js';
import { IngestSendersService, requireIngest } from './ingest-senders.service.js';
import { IngestService } from './ingest.service.js';
import { type Sender } from './ingest.types.js';

/** Longest wait before a retry, even if the error requests more: the sender does not retry. */
const MAX_WAIT_SECONDS = 1;
/** Time between two log lines about lines without a valid token. */
const REPORT_SECONDS = 60;

/**
 * Stores the lines of Graphite senders. The protocol cannot request a retry, so lines that cannot be stored now wait
 * here.
 */
@Injectable()
export class GraphiteStoreService {
  private readonly logger = new Logger('Graphite');
  private readonly rejected: Counter<'reason'>;
  private readonly ranges;
  private reportedAt = -Infinity;

  constructor(
    private readonly ingest: IngestService,
    private readonly senders: IngestSendersService,
    private readonly gate: IngestGateService,
    private readonly clock: Clock,
    config: GraphiteConfig,
    registry: MetricsRegistry,
  ) {
    this.ranges = config.tokenRanges;
    this.rejected = new Counter({
      name: 'plumbline_graphite_turned_away_lines_total',
      help: 'Graphite lines that belong to no organisation, or were lost, by reason',
      labelNames: ['reason'],
      registers: [registry.prometheus],
    });
  }

  /** @param orgId see IngestService.streamLimits */
  limits(orgId?: number): ParseLimits {
    return this.ingest.streamLimits(orgId);
  }

  /**
   * Stores the lines of one token; resolves when they are durable, however long that takes. Returns their organisation;
   * undefined if the token may not send, in which case the lines are counted and dropped.
   * @param address of the sender
   * @param giveUp ends the wait, for example when the process stops; waiting lines are then lost and counted
   */
  async store({ token, ...found }: GraphiteBatch, address: string, giveUp: AbortSignal): Promise<number | undefined> {
    const lines = found.batch.count + found.refusals.total;
    let orgId: number | undefined;
    try {
      const sender = await this.senderOf(token ?? tokenOfAddress(this.ranges, address), giveUp);
      if (sender === undefined) {
        this.reject(lines, 'not_authenticated', `no valid token, from ${address}`);
        return undefined;
      }
      const { org } = sender.caller;
      orgId = org.id;
      await retryUntilDone(giveUp, async () => this.gate.check());
      await retryUntilDone(giveUp, () => this.ingest.charge(sender, found.batch.count));
      await retryUntilDone(giveUp, () => sender.recheck());
      const admitted = await retryUntilDone(giveUp, () => this.ingest.admit(org.id, 'graphite', found));
      await retryUntilDone(giveUp, () => this.ingest.commit(admitted));
      await this.ingest.noteStored(sender, 'graphite', admitted);
    } catch (error) {
      this.reject(lines, 'lost', messageOf(error));
    }
    return orgId;
  }

  private async senderOf(token: string | undefined, giveUp: AbortSignal): Promise<Sender | undefined> {
    try {
      const sender = await retryUntilDone(giveUp, () => this.senders.identify(token));
      requireIngest(sender);
      return sender;
    } catch (error) {
      if (error instanceof AppError && error.retryAfterSeconds === undefined) return undefined;
      throw error;
    }
  }

  private reject(lines: number, reason: 'not_authenticated' | 'lost', why: string): void {
    this.rejected.inc({ reason }, lines);
    const now = this.clock.now();
    if (reason === 'not_authenticated' && now - this.reportedAt < REPORT_SECONDS) return;
    this.logger.warn(`${String(lines)} lines were not stored: ${why}`);
    this.reportedAt = now;
  }
}

/** Retries while the error is temporary. @throws any other error, or the temporary one after `giveUp` */
async function retryUntilDone<T>(giveUp: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const seconds = error instanceof AppError ? error.retryAfterSeconds : undefined;
      if (seconds === undefined || giveUp.aborted) throw error;
      await pause(Math.min(seconds, MAX_WAIT_SECONDS) * 1000, giveUp);
    }
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resume) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resume();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', done);
  });
}
