import { Injectable } from '@nestjs/common';
import { type ShardOutput } from '#libs/detection';
import { SeriesDirectory } from './series-directory.service.js';
import { type FollowedChanges, type FollowedPartition, type SlotFollower } from './slot-followers.types.js';

/** Areas above that look at points as they are stored. */
@Injectable()
export class SlotFollowers {
  private follower: SlotFollower | undefined;

  constructor(private readonly directory: SeriesDirectory) {}

  register(follower: SlotFollower): void {
    this.follower = follower;
  }

  /** Null when there is nothing to write. */
  follow(owner: FollowedPartition, outputs: readonly ShardOutput[]): Promise<FollowedChanges | null> {
    if (this.follower === undefined) return Promise.resolve(null);
    return this.follower.follow(owner, outputs, (id) => this.directory.get(owner.partition, id)?.orgId);
  }
}
