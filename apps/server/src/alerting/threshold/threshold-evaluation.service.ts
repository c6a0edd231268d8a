import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { type ShardOutput } from '#libs/detection';
import { type PointLog } from '#libs/point-log';
import { type SeriesStore } from '#libs/series';
import { DetectionFollowersService } from '../../analysis/detection/detection-followers.service.js';
import {
  type FollowedChanges,
  type PartitionOwner,
  type SlotFollower,
} from '../../analysis/detection/detection.types.js';
import { POINT_LOG, SERIES_STORE } from '../../platform/storage/storage.types.js';
import { PartitionThresholds } from './partition-thresholds.js';
import { ThresholdChangesService } from './threshold-changes.service.js';
import { ThresholdWatchersService } from './threshold-watchers.service.js';
import { ThresholdRepository } from './threshold.repository.js';
import { type NewThresholdChange } from './threshold.types.js';

interface Owned {
  epoch: number;
  thresholds: PartitionThresholds;
}

/**
 * Compares points with thresholds where they are stored. The changes are written in the transaction that records the
 * position of a partition, so that every breach exists once; a partition that changes its owner begins with the stored
 * breaches and fills its windows from stored points.
 */
@Injectable()
export class ThresholdEvaluationService implements SlotFollower, OnModuleInit {
  private readonly partitions = new Map<number, Owned>();

  constructor(
    private readonly followers: DetectionFollowersService,
    private readonly watchers: ThresholdWatchersService,
    private readonly rows: ThresholdRepository,
    private readonly changes: ThresholdChangesService,
    @Inject(POINT_LOG) private readonly log: Pick<PointLog, 'partitions'>,
    @Inject(SERIES_STORE) private readonly series: Pick<SeriesStore, 'readRaw'>,
  ) {}

  onModuleInit(): void {
    this.followers.register(this);
  }

  async follow(
    owner: PartitionOwner,
    outputs: readonly ShardOutput[],
    orgOf: (metricId: number) => number | undefined,
  ): Promise<FollowedChanges | null> {
    await this.watchers.refresh();
    const thresholds = await this.thresholdsOf(owner);
    if (thresholds === null) return null;
    await thresholds.prepare(outputs, orgOf);
    const found = thresholds.evaluate(outputs);
    return found.length === 0 ? null : this.toWrite(found);
  }

  /** Null while there is nothing to evaluate. */
  private async thresholdsOf({ partition, epoch }: PartitionOwner): Promise<PartitionThresholds | null> {
    const owned = this.partitions.get(partition);
    if (owned?.epoch === epoch) return owned.thresholds;
    if (this.watchers.watchers.size === 0) return null;
    const part = { partitions: this.log.partitions, partition };
    const thresholds = new PartitionThresholds(
      this.watchers,
      {
        selected: ({ orgId, parsedChips }) => this.rows.selected(orgId, parsedChips, part),
        metrics: (ids) => this.rows.metrics(ids),
        history: (metricId, seconds, before) => this.series.readRaw(metricId, before - seconds, before - 1),
      },
      await this.rows.breached(part),
    );
    this.partitions.set(partition, { epoch, thresholds });
    return thresholds;
  }

  private toWrite(found: readonly NewThresholdChange[]): FollowedChanges {
    return { write: (tx) => this.changes.record(found, this.watchers.watchers, tx) };
  }
}
