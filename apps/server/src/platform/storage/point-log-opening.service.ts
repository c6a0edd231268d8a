import { Injectable, Logger } from '@nestjs/common';
import {
  type JetStreamAddress,
  type JetStreamPointLog,
  openJetStreamPointLog,
  parseJetStreamUrl,
  placeOf,
  type PointLog,
  PointLogUnavailableError,
  PointLogLostError,
  PointLogPartitionsError,
  PostgresPointLog,
} from '#libs/point-log';
import { Clock } from '../../common/clock.js';
import { ServerConfig } from '../../common/config/server.config.js';
import { Transactions, type Tx } from '../../common/database/transactions.js';
import { ReadinessRegistry } from '../../common/telemetry/readiness.js';
import { type PointLogLayout, PointLogPlaceRepository } from './point-log-place.repository.js';
import { StorageConfig } from './storage.config.js';
import { PointLogPlaceError } from './storage.errors.js';
import { untilItAnswers } from '../../common/until-it-answers.js';

/**
 * Opens the point log that POINT_LOG_URL names, if the points of the installation are there, or can be moved there
 * without a loss. The database records their location.
 */
@Injectable()
export class PointLogOpeningService {
  private readonly logger = new Logger('PointLog');

  constructor(
    private readonly config: StorageConfig,
    private readonly places: PointLogPlaceRepository,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly readiness: ReadinessRegistry,
    private readonly server: ServerConfig,
  ) {}

  /**
   * @param connectionString of the database
   * @throws PointLogPlaceError and the errors of the adapters
   */
  async open(connectionString: string): Promise<PointLog> {
    const { pointLogUrl } = this.config;
    const layout = await this.places.getLayout(this.config.partitions);
    if (layout.partitions !== this.config.partitions) {
      throw new PointLogPartitionsError(layout.partitions, this.config.partitions, 'of this installation');
    }
    if (pointLogUrl === undefined) {
      if (layout.place === 'jetstream') throw new PointLogPlaceError(WITHOUT_URL);
      return this.openInDatabase(connectionString);
    }
    const address = parseJetStreamUrl(pointLogUrl);
    if (address.movesToPostgres) {
      if (layout.place === 'jetstream') await this.persist(() => this.moveToDatabase(address, layout));
      return this.openInDatabase(connectionString);
    }
    const log = await this.persist(() =>
      layout.place === 'jetstream' ? this.reopen(address, layout) : this.moveToJetStream(address),
    );
    this.logger.log(`Accepted points go to ${placeOf(address)}`);
    const { roles } = this.server;
    // Other roles work without it.
    if (roles.includes('ingest') || roles.includes('detect')) this.readiness.register('point log', () => log.ping());
    return log;
  }

  private openInDatabase(connectionString: string): Promise<PointLog> {
    return PostgresPointLog.open({
      ...this.options,
      connectionString,
      maxConnections: this.config.connections,
    });
  }

  private get options() {
    const { partitions, maxQueuedPoints, commitDelayMilliseconds: commitDelayMs } = this.config;
    return { now: () => this.clock.now(), partitions, maxQueuedPoints, commitDelayMs };
  }

  private async reopen(address: JetStreamAddress, { logId }: PointLogLayout): Promise<JetStreamPointLog> {
    try {
      return await this.openInJetStream(address, logId, address.acceptsLoss);
    } catch (error) {
      if (!(error instanceof PointLogLostError)) throw error;
      throw new PointLogPlaceError(
        `${error.message}. This installation has its point log there, with points that detection may not have read. ` +
          'Correct POINT_LOG_URL, or bring the streams back. If they are lost for good, start once with ' +
          '"accept_loss=true" in POINT_LOG_URL: detection then goes on with the points that arrive from now on.',
      );
    }
  }

  /** With the lock of appends: nothing arrives in the database while the log moves, and nothing will after that. */
  private async moveToJetStream(address: JetStreamAddress): Promise<JetStreamPointLog> {
    let log: JetStreamPointLog | undefined;
    try {
      return await this.transactions.run(async (tx) => {
        await this.places.blockAppends(tx);
        const { logId } = await this.places.getLayout(this.config.partitions, tx);
        const points = await this.places.countUnread(tx);
        if (points > 0) throw new PointLogPlaceError(unread(points, 'the database', 'without POINT_LOG_URL'));
        log = await this.openInJetStream(address, logId, true, tx);
        await this.places.setPlace('jetstream', tx);
        return log;
      }, 1);
    } catch (error) {
      await log?.close();
      throw error;
    }
  }

  private async moveToDatabase(address: JetStreamAddress, { logId }: PointLogLayout): Promise<void> {
    const log = await this.openInJetStream(address, logId, false);
    try {
      const { known, saved } = await this.places.positions(log.partitions);
      const { points } = await log.waiting(saved);
      if (points > 0) {
        throw new PointLogPlaceError(unread(points, placeOf(address), 'without "move=postgresql" in POINT_LOG_URL'));
      }
      await this.transactions.run(async (tx) => {
        await this.places.goOnAbove(Math.max(...known), tx);
        await this.places.setPlace('postgresql', tx);
      });
    } finally {
      await log.close();
    }
    this.logger.log('Accepted points go to the database again: start without POINT_LOG_URL from now on');
  }

  private async openInJetStream(
    address: JetStreamAddress,
    logId: string,
    mayCreate: boolean,
    tx?: Tx,
  ): Promise<JetStreamPointLog> {
    const { known } = await this.places.positions(this.config.partitions, tx);
    const warn = (message: string): void => this.logger.warn(message);
    return openJetStreamPointLog({ ...this.options, address, logId, mayCreate, after: known, warn });
  }

  private persist<T>(work: () => Promise<T>): Promise<T> {
    return untilItAnswers(work, (error) => error instanceof PointLogUnavailableError, 'POINT_LOG_URL', this.logger);
  }
}

const WITHOUT_URL =
  'The point log of this installation is in NATS JetStream, and POINT_LOG_URL is not set. Set it as it was; to go back ' +
  'to the database, add "move=postgresql" to it for one start (docs/guide/jetstream.md).';

function unread(points: number, place: string, how: string): string {
  return (
    `The point log in ${place} still holds ${String(points)} points that detection would read after a restart. ` +
    `Start once more ${how}, hold back the senders until "plumbline status" shows no backlog, and stop all processes cleanly ` +
    '(SIGTERM): then the log is empty and can move.'
  );
}
