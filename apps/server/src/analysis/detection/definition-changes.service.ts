import { Inject, Injectable } from '@nestjs/common';
import { METRIC_TYPES } from '#libs/contracts';
import { SERIES_ERASED, SERIES_SLOTS, SERIES_TOLD_AGAIN } from '#libs/detection';
import { POINT_LOG, type PointLog } from '../../platform/storage/storage.types.js';
import { type DefinitionChange, DefinitionChangesRepository } from './definition-changes.repository.js';

const AT_ONCE = 10_000;

/**
 * Puts changes of metrics into the point log, between the points before and after them: a shard that is restored and
 * applies the log again meets a change where it was met before. What was put there and not yet taken off the list when a
 * process died is put there again, which restarts the learning of a series once more and does no other harm.
 */
@Injectable()
export class DefinitionChanges {
  constructor(
    private readonly changes: DefinitionChangesRepository,
    @Inject(POINT_LOG) private readonly log: PointLog,
  ) {}

  /** Moves all that wait. Answers how many. To be called by one process at a time. */
  async move(): Promise<number> {
    for (let moved = 0; ;) {
      const waiting = await this.changes.waiting(AT_ONCE);
      if (waiting.length === 0) return moved;
      await this.log.append(
        {
          ids: Uint32Array.from(waiting, ({ metricId }) => metricId),
          timestamps: Float64Array.from(waiting, (change) => (change.kind === 'slots' ? change.slotSeconds : 0)),
          values: Float64Array.from(waiting, valueOf),
        },
        'define',
      );
      await this.changes.remove(waiting.map(({ id }) => id));
      moved += waiting.length;
    }
  }
}

function valueOf(change: DefinitionChange): number {
  switch (change.kind) {
    case 'type':
      return METRIC_TYPES.indexOf(change.type);
    case 'slots':
      return SERIES_SLOTS;
    case 'zone':
      return SERIES_TOLD_AGAIN;
    case 'erased':
      return SERIES_ERASED;
  }
}
