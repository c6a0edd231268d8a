import { Injectable } from '@nestjs/common';
import { type OnboardingStatusId } from '#libs/contracts';
import { type ProgressColumns, type ShardOutput } from '#libs/detection';
import { DAY } from '../../common/time.js';
import { MetricStatesService } from '../../data/metric/metric-states.service.js';
import { OnboardingService } from '../../people/progress/onboarding.service.js';
import { SeriesDirectoryService } from './series-directory.service.js';
import { type FollowedChanges, type PartitionOwner, type SlotFollower } from './detection.types.js';

const POINTS_OF_LEARNING = 100;
const SECONDS_OF_LIVE = DAY;

/**
 * Runs work that follows stored results of detection: a higher area processes points, metrics and organisations as
 * series learn.
 */
@Injectable()
export class DetectionFollowersService {
  private readonly statusOfOrg = new Map<number, OnboardingStatusId>();
  private slots: SlotFollower | undefined;

  constructor(
    private readonly onboarding: OnboardingService,
    private readonly states: MetricStatesService,
    private readonly directory: SeriesDirectoryService,
  ) {}

  /** Registers a higher area that processes points once they are stored. */
  register(follower: SlotFollower): void {
    this.slots = follower;
  }

  /** Null if there is nothing to write. */
  followSlots(owner: PartitionOwner, outputs: readonly ShardOutput[]): Promise<FollowedChanges | null> {
    if (this.slots === undefined) return Promise.resolve(null);
    return this.slots.follow(owner, outputs, (id) => this.directory.get(owner.partition, id)?.orgId);
  }

  /** Call it once the progress is written. `hasUrgentProgress`: a metric may have returned and be active again. */
  async followProgress(partition: number, progress: ProgressColumns, hasUrgentProgress: boolean): Promise<void> {
    if (hasUrgentProgress) await this.states.noteData(progress.ids);
    await this.advance(partition, progress);
  }

  /** Checked in memory first: the status of an organisation advances only three times. */
  private async advance(partition: number, progress: ProgressColumns): Promise<void> {
    const { ids, points, firstTimestamps, lastTimestamps } = progress;
    for (let row = 0; row < ids.length; row++) {
      const orgId = this.directory.get(partition, ids[row]!)?.orgId;
      if (orgId === undefined) continue;
      const isLive = lastTimestamps[row]! - firstTimestamps[row]! >= SECONDS_OF_LIVE;
      const hasLearnt = points[row]! >= POINTS_OF_LEARNING;
      const status = isLive && hasLearnt ? 300 : hasLearnt ? 200 : 100;
      if ((this.statusOfOrg.get(orgId) ?? 1) >= status) continue;
      await this.onboarding.advance(orgId, status);
      this.statusOfOrg.set(orgId, status);
    }
  }
}
