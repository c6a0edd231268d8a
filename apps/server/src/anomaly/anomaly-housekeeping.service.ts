import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { messageOf } from '../common/errors/message-of.js';
import { AnomalyRecordingRepository } from './anomaly-recording.repository.js';

const EVERY_MS = 3_600_000;
const STEP = 10_000;

/**
 * Drops anomalies that have been over for longer than their organisation keeps its data, once an hour. Two processes may be
 * at it: each row is dropped once.
 */
@Injectable()
export class AnomalyHousekeeping implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(AnomalyHousekeeping.name);
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly anomalies: AnomalyRecordingRepository,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.drop(), EVERY_MS);
    this.timer.unref();
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  async drop(): Promise<void> {
    try {
      while ((await this.anomalies.forgetExpired(this.clock.now(), STEP)) === STEP);
    } catch (error) {
      this.logger.warn(`Old anomalies could not be dropped; the next try is in an hour: ${messageOf(error)}`);
    }
  }
}
