import { useRouter } from '@tanstack/react-router';
import { timeText } from '../../lib/time';
import { type ChartStretch, type MetricChartProps } from './chart-props';
import { type PlotBox, type Stretch, xAt } from './chart-view';
import { stretchText } from './stretch-text';
import { texts } from './chart.texts';
import classes from './chart.module.css';

const MAX_MARKS = 60;
const WIDTH = 24;
const REACH = 24;

interface MarksProps extends Pick<MetricChartProps, 'unit' | 'isRate' | 'zone' | 'window'> {
  anomalies: readonly ChartStretch[];
  plot: PlotBox;
  view: Stretch;
}

/** The links of the marks at the top of the columns. The picture draws the marks; these are the clickable areas. */
export function ChartMarks({ anomalies, plot, view, ...place }: MarksProps) {
  const router = useRouter();
  const shown = anomalies
    .filter(({ href, from, until }) => href !== undefined && from <= view.until && (until ?? Infinity) >= view.from)
    .slice(0, MAX_MARKS);
  return shown.map((stretch) => {
    const { from, severity, href } = stretch;
    const text = [stretchText(stretch, place), texts.severity[severity], timeText(from, place.zone)].join(', ');
    return (
      <a
        key={href}
        href={href}
        className={classes.mark}
        aria-label={text}
        title={text}
        style={{
          left: xAt(Math.max(from, view.from), plot, view) - WIDTH / 2,
          top: Math.max(0, plot.top - REACH / 2),
          width: WIDTH,
          height: REACH,
        }}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          void router.navigate({ href });
        }}
      />
    );
  });
}
