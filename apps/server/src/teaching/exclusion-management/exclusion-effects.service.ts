import { Inject, Injectable } from '@nestjs/common';
import { AnomalyRecordingService } from '../../analysis/anomaly/anomaly-recording.service.js';
import { FoldedTarget, compileChips } from '../../data/chips/chips-match.js';
import { Clock } from '../../common/clock.js';
import { dateOf } from '../../common/time.js';
import { POINT_LOG, type PointLog } from '../../platform/storage/storage.types.js';
import { ExclusionDirectoryService } from '../../data/exclusion/exclusion-directory.service.js';
import { ExclusionService } from '../../data/exclusion/exclusion.service.js';
import { ExclusionManagementRepository } from './exclusion-management.repository.js';
import { ANALYSIS_TYPE_ID, type Exclusion } from '../../data/exclusion/exclusion.types.js';

/** Maximum number of ends that are written to the point log together. */
const ENDS_PER_APPEND = 10_000;
/** Time within which points that another process accepted before it knew of the exclusion are followed by an end. */
const END_AGAIN_SECONDS = 120;

/** Applies exclusions of the type analysis to the metrics that they cover. All of this can be repeated. */
@Injectable()
export class ExclusionEffectsService {
  constructor(
    private readonly definitions: ExclusionService,
    private readonly directory: ExclusionDirectoryService,
    private readonly marks: ExclusionManagementRepository,
    private readonly anomalies: AnomalyRecordingService,
    @Inject(POINT_LOG) private readonly log: PointLog,
    private readonly clock: Clock,
  ) {}

  /** After an exclusion of the type was added or deleted: applies it in this process immediately. */
  async takeEffect(orgId: number, typeId: Exclusion['typeId']): Promise<void> {
    await this.directory.refresh();
    if (typeId === ANALYSIS_TYPE_ID) await this.apply(orgId);
  }

  /**
   * Marks the metrics that are covered now, closes their open anomalies, and ends their series for detection; releases
   * metrics that are no longer covered.
   */
  async apply(orgId: number): Promise<void> {
    const now = this.clock.now();
    const all = await this.definitions.list(orgId);
    const keepingOut = all.filter(({ typeId }) => typeId === ANALYSIS_TYPE_ID).map(({ chips }) => chips);
    for (const chips of keepingOut) await this.marks.markExcluded(orgId, chips, dateOf(now));

    const matchers = keepingOut.map(compileChips);
    const marked = await this.marks.excludedMetrics(orgId);
    const released = marked.filter((metric) => {
      const target = new FoldedTarget(metric);
      return !matchers.some((covers) => covers(target));
    });
    if (released.length > 0) await this.marks.unmarkExcluded(orgId, idsOf(released));

    const free = new Set(released);
    const kept = marked.filter((metric) => !free.has(metric));
    await this.anomalies.close(orgId, idsOf(kept), 'excluded', now);
    await this.end(idsOf(kept.filter(({ excludedTimestamp }) => now - excludedTimestamp <= END_AGAIN_SECONDS)), now);
  }

  /** Ends the series as if their senders had: silence is then not an anomaly. */
  async end(metricIds: readonly number[], now: number): Promise<void> {
    for (let from = 0; from < metricIds.length; from += ENDS_PER_APPEND) {
      const ids = Uint32Array.from(metricIds.slice(from, from + ENDS_PER_APPEND));
      const timestamps = new Float64Array(ids.length).fill(Math.floor(now));
      await this.log.append({ ids, timestamps, values: new Float64Array(ids.length).fill(NaN) }, 'live');
    }
  }
}

const idsOf = (metrics: readonly { id: number }[]): number[] => metrics.map(({ id }) => id);
