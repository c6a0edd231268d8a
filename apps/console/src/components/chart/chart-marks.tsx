import { useRouter } from '@tanstack/react-router';
import { timeText } from '../../lib/time';
import { type ChartStretch } from './chart-props';
import { type PlotBox, type Stretch, xAt } from './chart-view';
import { words } from './chart.words';
import classes from './chart.module.css';

const MOST_MARKS = 60;
const WIDTH = 24;
const REACH = 24;

interface MarksProps {
  anomalies: readonly ChartStretch[];
  plot: PlotBox;
  view: Stretch;
  zone: string;
}

/** What the marks at the top of the columns lead to. The picture has them drawn; these are the places to click. */
export function ChartMarks({ anomalies, plot, view, zone }: MarksProps) {
  const router = useRouter();
  const shown = anomalies
    .filter(({ href, from, until }) => href !== undefined && from <= view.until && (until ?? Infinity) >= view.from)
    .slice(0, MOST_MARKS);
  return shown.map(({ from, kind, severity, href }) => {
    const text = [(kind ?? words.anomaly).replaceAll('_', ' '), words.severity[severity], timeText(from, zone)].join(
      ', ',
    );
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
