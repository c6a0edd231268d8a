import { type ShardOutput } from '#libs/detection';
import { type Tx } from '../../common/database/transactions.js';

/** A partition, and the number under which this process owns it: a process that has lost it writes nothing more. */
export interface PartitionOwner {
  partition: number;
  epoch: number;
}

/** Changes that a follower requests. */
export interface FollowedChanges {
  /** In the transaction that notes how far the effects are stored; may be called again after a failure. */
  write(tx: Tx): Promise<void>;
}

/**
 * An area above that looks at points as they are stored, exactly once each as far as its writing goes: outputs whose
 * effects were committed are not handed out again, those that were not are, to the next owner of the partition.
 */
export interface SlotFollower {
  /**
   * Outputs in the order of their records, once their slots are stored. It is quick, or it holds the partition up.
   * It may be called again with the same outputs when it has thrown.
   * @param orgOf the organisation of a metric; undefined for one that is not known
   * @returns null if there is nothing to write
   */
  follow(
    owner: PartitionOwner,
    outputs: readonly ShardOutput[],
    orgOf: (metricId: number) => number | undefined,
  ): Promise<FollowedChanges | null>;
}
