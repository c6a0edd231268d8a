import { Injectable } from '@nestjs/common';
import { type AnomalyEvent, type ShardOutput } from '#libs/detection';
import { type Tx } from '../../common/database/transactions.js';
import { AnomalyRecorder } from '../anomaly/anomaly-recording.service.js';
import { SlotFollowers } from './slot-followers.service.js';
import { type FollowedChanges, type FollowedPartition } from './slot-followers.types.js';

/** What the detector found, and what areas above found in the same points. */
@Injectable()
export class DetectionFindings {
  constructor(
    private readonly anomalies: AnomalyRecorder,
    private readonly followers: SlotFollowers,
  ) {}

  follow(owner: FollowedPartition, outputs: readonly ShardOutput[]): Promise<FollowedChanges | null> {
    return this.followers.follow(owner, outputs);
  }

  async record(events: readonly AnomalyEvent[], followed: FollowedChanges | null, tx: Tx): Promise<void> {
    await followed?.write(tx);
    await this.anomalies.record(events, tx);
  }
}
