import { Injectable } from '@nestjs/common';
import { RecurringWork } from '../../common/recurring-work.js';
import { ComponentReports } from '../../common/telemetry/component-reports.js';
import { ReadinessRegistry } from '../../common/telemetry/readiness.js';
import { dateOf } from '../../common/time.js';
import { DetectionConfig } from './detection.config.js';
import { DetectionTelemetryService } from './detection-telemetry.service.js';
import { PartitionConsumersService } from './partition-consumers.service.js';

const EVERY_MS = 10_000;

/** Reports whether detection works: in `/readyz`, in the report of the components, in a metric and in the log. */
@Injectable()
export class DetectionWatchService extends RecurringWork {
  private readonly reportedStuck = new Set<number>();

  constructor(
    private readonly consumers: PartitionConsumersService,
    private readonly readiness: ReadinessRegistry,
    private readonly components: ComponentReports,
    private readonly telemetry: DetectionTelemetryService,
    private readonly config: DetectionConfig,
  ) {
    super({ everyMs: EVERY_MS, failure: 'The detector could not be watched', role: 'detect' });
  }

  override onApplicationBootstrap(): unknown {
    if (this.isWanted()) {
      this.readiness.register('detection', () => this.check());
      this.components.register('analysis', () => {
        const message = this.check() ?? '';
        return { ok: true, ageSeconds: Math.round(this.telemetry.longestLagSeconds()), message };
      });
    }
    return super.onApplicationBootstrap();
  }

  /** Logs a stuck partition once, until it moves again. */
  async run(): Promise<void> {
    const stuck = this.consumers.stuck();
    for (const partition of this.reportedStuck) if (!stuck.has(partition)) this.reportedStuck.delete(partition);
    for (const [partition, since] of stuck) {
      if (this.reportedStuck.has(partition)) continue;
      this.reportedStuck.add(partition);
      this.logger.error(`Partition ${String(partition)} is stuck in the detector since ${dateOf(since).toISOString()}`);
    }
    this.telemetry.stuck.set(stuck.size);
  }

  /** The current activity, if any. Throws if detection does not work. */
  private check(): string | undefined {
    const stuck = [...this.consumers.stuck().keys()];
    if (stuck.length > 0) throw new Error(`partitions ${stuck.join(', ')} are stuck in the detector`);
    const lag = this.telemetry.longestLagSeconds();
    if (lag > this.config.maxLagSeconds) throw new Error(`detection is ${String(Math.round(lag))} s behind`);
    const behind = this.consumers.replayingBehindSeconds();
    return behind === null ? undefined : `replaying, ${String(Math.round(behind))} s behind`;
  }
}
