import { type ShardOutput } from '#libs/detection';
import { type Tx } from '../../common/database/transactions.js';

/**
 * A partition, and the number of its ownership by this process: after the ownership is lost, this process writes
 * nothing more.
 */
export interface PartitionOwner {
  partition: number;
  epoch: number;
}

/** Changes requested by a follower. */
export interface FollowedChanges {
  /** Called in the transaction that records how far the effects are stored; may be repeated after a failure. */
  write(tx: Tx): Promise<void>;
}

/**
 * A higher area that processes points once they are stored. Its writes happen exactly once: outputs whose effects were
 * committed are not passed again; other outputs are passed again, to the next owner of the partition.
 */
export interface SlotFollower {
  /**
   * Outputs in the order of their records, once their slots are stored. Must be fast, because it delays the partition.
   * May be called again with the same outputs after it has thrown.
   * @param orgOf the organisation of a metric; undefined if it is unknown
   * @returns null if there is nothing to write
   */
  follow(
    owner: PartitionOwner,
    outputs: readonly ShardOutput[],
    orgOf: (metricId: number) => number | undefined,
  ): Promise<FollowedChanges | null>;
}
