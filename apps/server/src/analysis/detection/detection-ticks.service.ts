import { Inject, Injectable } from '@nestjs/common';
import { type PointLog } from '#libs/point-log';
import { Clock } from '../../common/clock.js';
import { RecurringWork } from '../../common/recurring-work.js';
import { POINT_LOG } from '../../platform/storage/storage.types.js';
import { DetectionConfig } from './detection.config.js';
import { PartitionConsumersService } from './partition-consumers.service.js';

const EVERY_MS = 60_000;
const NO_POINTS = { ids: new Uint32Array(0), timestamps: new Float64Array(0), values: new Float64Array(0) };

/** Advances the time in every partition once a minute, so that silence is detected. One process does it for all. */
@Injectable()
export class DetectionTicksService extends RecurringWork {
  private startedAt = 0;

  constructor(
    private readonly consumers: PartitionConsumersService,
    @Inject(POINT_LOG) private readonly log: PointLog,
    private readonly clock: Clock,
    private readonly config: DetectionConfig,
  ) {
    super({ everyMs: EVERY_MS, failure: 'A tick could not be appended', role: 'detect' });
  }

  override onApplicationBootstrap(): unknown {
    this.startedAt = this.clock.now();
    return super.onApplicationBootstrap();
  }

  async run(): Promise<void> {
    const isGraceOver = this.clock.now() - this.startedAt >= this.config.tickGraceSeconds;
    if (isGraceOver && this.consumers.ownsFirst) await this.log.append(NO_POINTS, 'tick');
  }
}
