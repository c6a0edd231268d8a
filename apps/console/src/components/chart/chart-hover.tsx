import { rangeText, valueText } from '../../lib/numbers';
import { durationText, fullTimeText } from '../../lib/time';
import { type ChartColumns, type MetricChartProps } from './chart-props';
import { rateUnit } from './chart-table';
import { nearestRow, type PlotBox, slotSeconds, timeAt, xAt } from './chart-view';
import { stretchText } from './stretch-text';
import { texts } from './chart.texts';
import classes from './chart.module.css';

interface HoverProps extends MetricChartProps {
  /** Position of the pointer, pixels from the left edge of the picture. */
  x: number;
  plot: PlotBox;
  width: number;
}

/** The slot under the pointer with its exact numbers. */
export function ChartHover({ x, plot, width, ...props }: HoverProps) {
  const time = timeAt(x, plot, props.window);
  const row = nearestRow(props.series.timestamps, time);
  const timestamp = props.series.timestamps[row];
  if (timestamp === undefined || timestamp < props.window.from || timestamp > props.window.until) return null;
  const unit = rateUnit(props.unit, props.isRate);
  const at = xAt(timestamp, plot, props.window);
  const isRight = at > width / 2;
  const range = rangeAt(props, timestamp);
  const over = (props.anomalies ?? []).filter(
    ({ from, until }) => from <= timestamp && timestamp <= (until ?? Infinity),
  );
  const matched = (props.matches ?? []).filter(({ from, until }) => from <= timestamp && timestamp <= until);
  const seconds = slotSeconds(props.series.timestamps, row);
  return (
    <>
      <div className={classes.cross} style={{ left: at, top: plot.top, height: plot.height }} />
      <div
        className={classes.hover}
        role="tooltip"
        style={{ top: plot.top + 6, ...(isRight ? { right: width - at + 10 } : { left: at + 10 }) }}
      >
        <div className="dim">{`${fullTimeText(timestamp, props.zone)} ${props.zone}`}</div>
        {seconds !== null && <div className="dim">{texts.slot(durationText(seconds))}</div>}
        <dl>
          <dt>{texts.value}</dt>
          <dd>{props.series.values[row] === null ? texts.noValue : valueText(props.series.values[row], unit)}</dd>
          {range && (
            <>
              <dt>{texts.expected}</dt>
              <dd>{range(unit)}</dd>
            </>
          )}
          {(props.others ?? []).map((other) => (
            <Other key={other.name} {...other} timestamp={timestamp} unit={unit} />
          ))}
          {over.map((stretch) => (
            <Named
              key={`a${String(stretch.from)}`}
              name={texts.severity[stretch.severity]}
              color={`var(--pl-${stretch.severity})`}
            >
              {stretchText(stretch, props)}
            </Named>
          ))}
          {matched.map(({ from, label }) => (
            <Named key={`m${String(from)}`} name={texts.match}>
              {label}
            </Named>
          ))}
        </dl>
      </div>
    </>
  );
}

function Named({ name, color, children }: { name: string; color?: string; children: string }) {
  return (
    <>
      <dt style={{ color }}>{name}</dt>
      <dd>
        <bdi>{children}</bdi>
      </dd>
    </>
  );
}

function Other({
  name,
  timestamps,
  values,
  timestamp,
  unit,
}: ChartColumns & { name: string; timestamp: number; unit: string }) {
  const row = nearestRow(timestamps, timestamp);
  const spacing = Math.abs((timestamps[row + 1] ?? timestamps[row - 1] ?? timestamp) - (timestamps[row] ?? 0));
  // With a different resolution the nearest slot counts; in a pause there is none.
  const isNear = row >= 0 && Math.abs(timestamps[row]! - timestamp) <= spacing;
  return <Named name={name}>{isNear ? valueText(values[row], unit) : texts.noValue}</Named>;
}

/** The expected range at a slot as text, for a unit; null if nothing was expected. */
function rangeAt({ expected }: MetricChartProps, timestamp: number): ((unit: string) => string) | null {
  if (!expected) return null;
  const row = nearestRow(expected.timestamps, timestamp);
  const [lower, upper] = [expected.lower[row], expected.upper[row]];
  if (typeof lower !== 'number' || typeof upper !== 'number') return null;
  return (unit) => rangeText(lower, upper, unit) ?? '';
}
