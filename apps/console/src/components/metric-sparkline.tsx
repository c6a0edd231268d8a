import { type Schema } from '../lib/api';
import { sparklineProps } from '../lib/sparklines';
import { texts } from './components.texts';
import { Sparkline } from './sparkline';

/** The line of a metric in a list; its space is reserved while it is loading. */
export function MetricSparkline({
  line,
  metric,
  width = 140,
  height = 28,
}: {
  line: Schema<'SparklineDto'> | undefined;
  metric: string;
  width?: number;
  height?: number;
}) {
  if (!line) return <span style={{ display: 'inline-block', width, height }} />;
  return <Sparkline {...sparklineProps(line)} width={width} height={height} label={texts.lineOf(metric)} />;
}
