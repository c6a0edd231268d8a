import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { isDryRun } from '../../common/database/dry-run.js';
import { type Tx } from '../../common/database/transactions.js';
import { StreamLogRepository } from './stream-log.repository.js';
import { type StreamEvent } from './stream-log.types.js';

/** Appends the events of GET /stream, which all processes read. */
@Injectable()
export class StreamLogService {
  constructor(
    private readonly events: StreamLogRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Publishes a change within its transaction: listeners get it after the commit, or never. Call it once, as the last
   * statement of the transaction: after it, other transactions that publish for the organisation wait for the end of
   * this one. A dry run publishes nothing.
   */
  async append(events: readonly StreamEvent[], tx: Tx): Promise<void> {
    if (events.length > 0 && !isDryRun(tx)) await this.events.append(events, this.clock.now(), tx);
  }
}
