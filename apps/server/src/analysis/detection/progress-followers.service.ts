import { Injectable } from '@nestjs/common';
import { type OnboardingStatusId } from '#libs/contracts';
import { type ProgressColumns } from '#libs/detection';
import { DAY } from '../../common/time.js';
import { MetricStates } from '../../data/metric/metric-states.service.js';
import { Onboarding } from '../../people/progress/onboarding.service.js';
import { SeriesDirectory } from './series-directory.service.js';

const POINTS_OF_LEARNING = 100;
const SECONDS_OF_LIVE = DAY;

/** Does what follows from the progress of series: metrics that return are active, organisations advance as theirs learn. */
@Injectable()
export class ProgressFollowers {
  private readonly statusOfOrg = new Map<number, OnboardingStatusId>();

  constructor(
    private readonly onboarding: Onboarding,
    private readonly states: MetricStates,
    private readonly directory: SeriesDirectory,
  ) {}

  /** To be called once the progress is written. `hasNews`: a metric may have returned. */
  async follow(partition: number, progress: ProgressColumns, hasNews: boolean): Promise<void> {
    if (hasNews) await this.states.noteData(progress.ids);
    await this.advance(partition, progress);
  }

  /** Asked in memory first: an organisation's status rises three times in its life. */
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
