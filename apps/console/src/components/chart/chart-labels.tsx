import { type ChartLabel } from './chart-props';
import { type PlotBox, type Stretch, xAt } from './chart-view';
import classes from './chart.module.css';

/** Minimum width of a mark, pixels: a narrower mark is widened, so that it is visible. */
const NARROWEST = 3;
/** Below this width, pixels, a text would overlap its neighbour. */
const TEXT_WIDTH = 44;

/** Stretches that users have marked, over the picture. */
export function ChartLabels({ labels, plot, view }: { labels: readonly ChartLabel[]; plot: PlotBox; view: Stretch }) {
  return labels
    .filter(({ from, until }) => from <= view.until && until >= view.from)
    .map(({ from, until, label }) => {
      const left = xAt(Math.max(from, view.from), plot, view);
      const width = Math.max(NARROWEST, xAt(Math.min(until, view.until), plot, view) - left);
      return (
        <div
          key={`${String(from)} ${String(until)}`}
          className={classes.label}
          style={{ left, width, top: plot.top, height: plot.height }}
        >
          {width >= TEXT_WIDTH && <span>{label}</span>}
        </div>
      );
    });
}
