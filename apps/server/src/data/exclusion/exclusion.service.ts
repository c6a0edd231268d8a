import { Injectable } from '@nestjs/common';
import { type Tx } from '../../common/database/transactions.js';
import { secondsOf } from '../../common/time.js';
import { type Chip, parseChip } from '../chips/chips.js';
import { type ExclusionEntity } from './exclusion.entity.js';
import { ExclusionRepository } from './exclusion.repository.js';
import { type Exclusion } from './exclusion.types.js';

/**
 * Stored definitions of exclusions. ExclusionDirectoryService, which keeps them in memory, decides which metrics they
 * cover.
 */
@Injectable()
export class ExclusionService {
  constructor(private readonly exclusions: ExclusionRepository) {}

  /** Without deleted ones, oldest first. */
  async list(orgId: number, tx?: Tx): Promise<Exclusion[]> {
    return (await this.exclusions.list(orgId, tx)).map(toExclusion);
  }

  /** Also returns a deleted one. */
  async find(orgId: number, id: number, tx?: Tx): Promise<Exclusion | null> {
    const row = await this.exclusions.find(orgId, id, tx);
    return row && toExclusion(row);
  }

  /** Number of metrics that chips select, without removed ones. */
  countMetrics(orgId: number, chips: readonly Chip[]): Promise<number> {
    return this.exclusions.countMetrics(orgId, chips);
  }
}

export function toExclusion(row: ExclusionEntity): Exclusion {
  const { recurrenceDays: days, recurrenceStart: start, recurrenceDurationSeconds: durationSeconds } = row;
  return {
    id: row.id,
    orgId: row.orgId,
    typeId: row.typeId,
    chips: row.chips.map(parseChip),
    reason: row.reason,
    fromTimestamp: row.fromTimestamp,
    untilTimestamp: row.untilTimestamp,
    recurrence: days && start && durationSeconds ? { days, start, durationSeconds } : null,
    createdTimestamp: secondsOf(row.createdAt),
    createdBy: row.createdBy,
  };
}
