import { severityLabel } from '#libs/contracts';

/** A stretch of a metric in the swim-lane. Unix seconds. */
export interface LaneStretch {
  id: number;
  what: 'anomaly' | 'match';
  from: number;
  /** Null while it is open. */
  until: number | null;
  severity: number;
  /** Known to be normal: taught, excluded, or a match of a pattern. Drawn hatched. */
  isExpected: boolean;
  /** Kind of the anomaly, or label of the pattern. */
  label: string;
}

export interface Lane {
  metric: string;
  stretches: readonly LaneStretch[];
}

/** How a bar is drawn: in the colour of its severity, or hatched. Worst first. */
export const LANE_TONES = ['critical', 'major', 'minor', 'info', 'expected'] as const;
export type LaneTone = (typeof LANE_TONES)[number];

export interface LaneBar extends LaneStretch {
  /** Pixels from the left edge, between 0 and the width. */
  x: number;
  width: number;
  tone: LaneTone;
}

/** Narrower bars would be invisible. */
const MIN_WIDTH = 4;
/** More bars in a lane cannot be distinguished. */
const MAX_BARS = 60;

/** Positions of the bars of a lane; those outside the window are dropped, and the worst are drawn last, on top. */
export function layoutLane(
  lane: Lane,
  { from, until, now, width }: { from: number; until: number; now: number; width: number },
): LaneBar[] {
  const scale = width / (until - from);
  return lane.stretches
    .map((stretch) => ({ ...stretch, end: Math.min(stretch.until ?? now, until) }))
    .filter((stretch) => stretch.end >= from && stretch.from <= until)
    .sort((a, b) => Number(b.isExpected) - Number(a.isExpected) || a.severity - b.severity || a.from - b.from)
    .slice(-MAX_BARS)
    .map(({ end, ...stretch }) => {
      const left = Math.max(0, (stretch.from - from) * scale);
      const long = Math.max(MIN_WIDTH, (end - from) * scale - left);
      const x = Math.max(0, Math.min(left, width - long));
      return {
        ...stretch,
        x,
        width: Math.min(long, width),
        tone: stretch.isExpected ? 'expected' : severityLabel(stretch.severity),
      };
    });
}

/** Lanes of the most anomalous metrics, then of those that only had matches; at most `most` lanes. */
export function lanesOf(
  worst: readonly string[],
  anomalies: readonly (LaneStretch & { metric: string })[],
  matches: readonly (LaneStretch & { metric: string })[],
  most: number,
): Lane[] {
  const byMetric = new Map<string, LaneStretch[]>();
  for (const { metric, ...stretch } of [...anomalies, ...matches]) {
    const known = byMetric.get(metric);
    if (known) known.push(stretch);
    else byMetric.set(metric, [stretch]);
  }
  const matched = matches.map(({ metric }) => metric);
  return [...new Set([...worst, ...matched])]
    .slice(0, most)
    .map((metric) => ({ metric, stretches: byMetric.get(metric) ?? [] }));
}
