import { Inject, Injectable, Logger } from '@nestjs/common';
import { setMaxListeners } from 'node:events';
import { type PointLog } from '#libs/point-log';
import { Clock } from '../../common/clock.js';
import { POINT_LOG } from '../../platform/storage/storage.types.js';
import { DetectionConfig } from './detection.config.js';
import { DetectionEffectsService } from './detection-effects.service.js';
import { DetectionTelemetryService } from './detection-telemetry.service.js';
import { PartitionConsumer } from './partition-consumer.js';
import { PartitionOwnershipService } from './partition-ownership.service.js';
import { PartitionShards } from './partition-shard.js';

/** The consumers of this process, one for each partition of the point log. */
@Injectable()
export class PartitionConsumersService {
  private readonly logger = new Logger('Detection');
  private consumers: readonly PartitionConsumer[] = [];

  constructor(
    @Inject(POINT_LOG) private readonly log: PointLog,
    private readonly shards: PartitionShards,
    private readonly ownership: PartitionOwnershipService,
    private readonly effects: DetectionEffectsService,
    private readonly telemetry: DetectionTelemetryService,
    private readonly clock: Clock,
    private readonly config: DetectionConfig,
  ) {}

  /** Resolves when `stop` was raised and the state of every partition is saved. Never rejects. */
  async run(stop: AbortSignal): Promise<void> {
    // Several waits of every partition end with this signal: this number of listeners is not a leak.
    setMaxListeners(0, stop);
    const { log, shards, ownership, effects, telemetry, clock, config, logger } = this;
    const parts = { log, shards, ownership, effects, telemetry, clock, config, logger };
    this.consumers = Array.from({ length: log.partitions }, (_, partition) => new PartitionConsumer(partition, parts));
    await ownership.join();
    await Promise.all([ownership.keepShare(stop), ...this.consumers.map((consumer) => consumer.run(stop))]);
  }

  /** Whether this process does the work that only one process does: the one that owns the first partition. */
  get ownsFirst(): boolean {
    return this.consumers[0]?.owns ?? false;
  }

  /** Partitions that the detector has been processing for too long, and since when (Unix seconds). */
  stuck(): Map<number, number> {
    const stuck = new Map<number, number>();
    for (const { partition, detectingSince } of this.consumers) {
      const isStuck = detectingSince !== null && this.clock.now() - detectingSince > this.config.stuckSeconds;
      if (isStuck) stuck.set(partition, detectingSince);
    }
    return stuck;
  }

  /** Lag in seconds of the partition that has most to read again after a restart. Null: none. */
  replayingBehindSeconds(): number | null {
    const behind = this.consumers.map(({ replayingBehindSeconds }) => replayingBehindSeconds ?? -1);
    const farthest = Math.max(-1, ...behind);
    return farthest < 0 ? null : farthest;
  }
}
