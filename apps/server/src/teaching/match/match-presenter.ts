import { Injectable } from '@nestjs/common';
import { shownUnit } from '#libs/wording';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { dateTime, duration, relative } from '../../common/display/display.js';
import { Links } from '../../common/http/links.js';
import { type MatchDto } from './match.dto.js';
import { type Match } from './match.types.js';

/** Similarity from which a part is considered the same; a slightly lower one is within the range of the pattern. */
const EXACT = 0.99;
const IN_RANGE = 0.95;

/** Records of matches. */
@Injectable()
export class MatchPresenter {
  constructor(
    private readonly links: Links,
    private readonly clock: Clock,
  ) {}

  present(caller: KnownCaller, matches: readonly Match[]): MatchDto[] {
    return matches.map((match) => {
      const isMotif = match.matchType === 'motif';
      const path = `/match/${String(match.id)}`;
      return {
        id: match.id,
        pattern_id: match.patternId,
        pattern_label: match.patternLabel,
        metric_id: match.metricId,
        metric_name: match.metricName,
        metric: match.metricName,
        timestamp: Math.floor(match.startTimestamp),
        timestamp_string: dateTime(match.startTimestamp, caller.org.timezone),
        value: match.value,
        unit: shownUnit({ type: match.metricType, unit: match.metricUnit }),
        duration: match.duration,
        duration_string: duration(match.duration),
        match_type: match.matchType,
        similarity: match.similarity,
        distance: match.distance,
        score: match.score,
        expected_range_lower: match.lower,
        expected_range_upper: match.upper,
        motif: isMotif
          ? {
              index: match.shapeIndex,
              size: match.windowSlots,
              distance: match.distance,
              area_percent_diff: match.areaPercent,
              type: match.similarity >= EXACT ? 'exact' : match.similarity >= IN_RANGE ? 'in_range' : 'distance',
            }
          : null,
        explanation: match.explanation,
        validated: match.validated,
        validated_by: match.validatedBy,
        validated_timestamp: match.validatedTimestamp === null ? null : Math.floor(match.validatedTimestamp),
        anomaly_id: match.anomalyId,
        graph_url: this.links.api(`${path}/graph`),
        motif_graph_url: isMotif ? this.links.api(`${path}/motif/graph`) : null,
      };
    });
  }

  relative(timestamp: number): string {
    return relative(timestamp, this.clock.now());
  }
}
