import { Inject, Injectable } from '@nestjs/common';
import { METRIC_TYPES } from '#libs/contracts';
import { SERIES_ERASED, SERIES_SLOTS, SERIES_TERMS, SERIES_REDEFINED } from '#libs/detection';
import { RecurringWork } from '../../common/recurring-work.js';
import { POINT_LOG, type PointLog } from '../../platform/storage/storage.types.js';
import { type DefinitionChange, DefinitionChangesRepository } from './definition-changes.repository.js';
import { PartitionConsumersService } from './partition-consumers.service.js';

const EVERY_MS = 2000;
const AT_ONCE = 10_000;

/**
 * Appends changes of metrics to the point log, between the points before and after them, so that a restored shard that
 * applies the log again applies a change at the same position as before. A change that was appended, but still waits in
 * the table when a process dies, is appended again, which only restarts the learning of the series once more.
 */
@Injectable()
export class DefinitionChangesService extends RecurringWork {
  constructor(
    private readonly changes: DefinitionChangesRepository,
    @Inject(POINT_LOG) private readonly log: PointLog,
    private readonly consumers: PartitionConsumersService,
  ) {
    super({ everyMs: EVERY_MS, failure: 'Changes of metrics could not be passed on', role: 'detect' });
  }

  /** Moves all waiting changes, if this process is the one that does this. Returns their number. */
  async run(): Promise<number> {
    for (let moved = 0; ;) {
      if (!this.consumers.ownsFirst || this.isStopping) return moved;
      const waiting = await this.changes.waiting(AT_ONCE);
      if (waiting.length === 0) return moved;
      await this.log.append(
        {
          ids: Uint32Array.from(waiting, ({ metricId }) => metricId),
          timestamps: Float64Array.from(waiting, besideOf),
          values: Float64Array.from(waiting, valueOf),
        },
        'define',
      );
      await this.changes.remove(waiting.map(({ id }) => id));
      moved += waiting.length;
    }
  }
}

/** The timestamp next to the value: data of the change, because a time has no meaning here. */
function besideOf(change: DefinitionChange): number {
  if (change.kind === 'slots') return change.slotSeconds;
  return change.kind === 'terms' ? (change.termsId ?? 0) : 0;
}

function valueOf(change: DefinitionChange): number {
  switch (change.kind) {
    case 'type':
      return METRIC_TYPES.indexOf(change.type);
    case 'slots':
      return SERIES_SLOTS;
    case 'terms':
      return SERIES_TERMS;
    case 'zone':
      return SERIES_REDEFINED;
    case 'erased':
      return SERIES_ERASED;
  }
}
