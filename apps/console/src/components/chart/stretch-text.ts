import { anomalyText, rateUnit, observedText } from '#libs/wording';
import { type ChartStretch, type MetricChartProps } from './chart-props';
import { texts } from './chart.texts';

type Place = Pick<MetricChartProps, 'unit' | 'isRate' | 'zone'>;

/** The event of a stretch: `rose to 93 % (usual 20 to 40 %)`. */
export function stretchText(stretch: ChartStretch, place: Place & Pick<MetricChartProps, 'window'>): string {
  return written(anomalyText, stretch, place, place.window.until);
}

/** A short form for the picture itself, where the axis shows the day: `rose to 93 %`. */
export function stretchLabel(stretch: ChartStretch, place: Place): string {
  return written(observedText, stretch, place, stretch.until ?? stretch.from);
}

function written(
  write: typeof anomalyText,
  { from: start, until: end, kind, value, lower, upper }: ChartStretch,
  { unit, isRate, zone }: Place,
  now: number,
): string {
  if (kind === null) return texts.anomaly;
  const described = { kind, value, lower, upper, unit: isRate ? rateUnit(unit) : unit, start, end };
  return write(described, { zone, now });
}
