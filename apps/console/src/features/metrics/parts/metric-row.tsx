import { Link } from '@tanstack/react-router';
import { memo, type SyntheticEvent } from 'react';
import { severityLabel } from '#libs/contracts';
import names from '../../../components/metric-name.module.css';
import { SeverityMark } from '../../../components/severity';
import { Sparkline } from '../../../components/sparkline';
import { Ago } from '../../../components/times';

import { type Schema } from '../../../lib/api';
import { isolated } from '../../../lib/isolated';
import { keepView } from '../../../lib/keep-view';
import { useNow } from '../../../lib/now';
import { shownUnit, valueText } from '../../../lib/numbers';
import { timeText } from '../../../lib/time';
import { useZone } from '../../../lib/zone';
import { texts } from '../metrics.texts';
import { judgementText } from '../readiness';
import { baseName } from '../series-window';
import classes from './metrics.module.css';

interface RowProps {
  metric: Schema<'MetricDto'>;
  line: Schema<'SparklineDto'> | undefined;
  /** Position in the list, pixels from its start. */
  start: number;
  height: number;
  index: number;
  isChosen: boolean;
}

/** Rows that stay are not rendered again while the list is scrolled. */
export const MetricRow = memo(function MetricRow({ metric, line, start, height, index, isChosen }: RowProps) {
  const labels = Object.entries(metric.labels);
  const anomalies = (line?.anomalies ?? []).map(({ from, until, severity }) => ({
    from,
    until,
    severity: severityLabel(severity),
  }));
  const standing = stateText(metric, useZone(), useNow());
  const open = anomalies.find(({ until }) => until === null);
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isChosen}
      className={classes.row}
      data-chosen={isChosen || undefined}
      style={{ transform: `translateY(${String(start)}px)`, height }}
    >
      <span role="cell" className={classes.name}>
        <Link
          to="/metric/$metricName"
          params={{ metricName: metric.name }}
          search={keepView as never}
          className={`${classes.link} ${names.whole}`}
          data-name={metric.name}
          onPointerEnter={markCut}
          onFocus={markCut}
        >
          <bdi className={`mono ${classes.base}`}>{baseName(metric.name, metric.labels)}</bdi>
          {labels.length > 0 && (
            <bdi className={`mono dim ${classes.labels}`}>
              {labels.map(([key, value]) => isolated(`${key}=${value}`)).join(' ')}
            </bdi>
          )}
        </Link>
        {metric.open_anomaly_id !== null && (
          <Link
            to="/anomaly/$anomalyId"
            params={{ anomalyId: String(metric.open_anomaly_id) } as never}
            search={keepView as never}
            className={classes.open}
            aria-label={texts.openMark(metric.display_name)}
          >
            <SeverityMark severity={open?.severity ?? 'major'} withText={false} />
            <span className={classes.openText}>{texts.open}</span>
          </Link>
        )}
      </span>
      <span role="cell" className={classes.value}>
        <LastValue metric={metric} line={line} />
      </span>
      <span role="cell" className={`dim ${classes.state}`} title={standing}>
        {standing}
        {metric.state !== 'active' && metric.last_timestamp !== null && (
          <>
            {', '}
            <Ago at={metric.last_timestamp} />
          </>
        )}
      </span>
      <span role="cell" className={classes.line}>
        {line && (
          <Sparkline
            points={line.points.map(([timestamp, value]) => [timestamp ?? 0, value ?? null] as const)}
            lower={line.lower}
            upper={line.upper}
            anomalies={anomalies}
            label={texts.sparkline(metric.display_name)}
          />
        )}
      </span>
    </div>
  );
});

/** A name that does not fit into its row is shown completely while its link is hovered or focused. */
function markCut({ currentTarget: link }: SyntheticEvent<HTMLElement>): void {
  const isCut = [...link.children].some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
  link.toggleAttribute('data-cut', isCut);
}

/** For a counter its rate; the count is shown on demand. */
function LastValue({ metric, line }: Pick<RowProps, 'metric' | 'line'>) {
  const unit = shownUnit(metric);
  if (metric.type !== 'counter') return valueText(metric.last_value, unit);
  const rate = line?.points.findLast(([, value]) => typeof value === 'number')?.[1];
  return <span title={texts.total(valueText(metric.last_value, metric.unit))}>{valueText(rate, unit)}</span>;
}

/** A short text for the state: that it is silent, until when it is learning, or why it is not judged. */
function stateText(metric: Schema<'MetricDto'>, zone: string, now: number) {
  if (metric.last_timestamp === null) return texts.noPoint;
  if (metric.state !== 'active') return texts.states[metric.state];
  return judgementText(metric, { timeOf: (at) => timeText(at, zone), now }) ?? texts.analysis[metric.analysis_state];
}
