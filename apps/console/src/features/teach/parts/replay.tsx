import { Skeleton, Text, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { MetricName } from '../../../components/metric-name';
import { Empty, Failed, Loading } from '../../../components/page-states';
import { SeverityMark } from '../../../components/severity';
import { Time } from '../../../components/times';
import { severityLabel } from '#libs/contracts';
import { type Schema } from '../../../lib/api';
import { kindText } from '../../../lib/kinds';
import { tuningPreviewQuery } from '../api/tunings';
import { lanesOf, missingFrom, withoutName, type TuningFields } from '../tuning-fields';
import { texts } from '../teach.texts';
import classes from '../teach.module.css';

const DEBOUNCE_MS = 600;
const MAX_LANES = 20;
const MAX_ROWS = 30;
const WIDTH = 600;
const LANE = 26;

/** The effect of settings, replayed; while a new replay runs, the last one stays. */
export function Replay({ fields }: { fields: TuningFields }) {
  const [tried] = useDebouncedValue(JSON.stringify(withoutName(fields)), DEBOUNCE_MS);
  const wanted = JSON.parse(tried) as Omit<TuningFields, 'name'>;
  const replay = useQuery(tuningPreviewQuery(wanted));
  const isStale = replay.isPlaceholderData || tried !== JSON.stringify(withoutName(fields));
  return (
    <section className={classes.block} aria-busy={isStale || replay.isPending}>
      <Title order={2}>{texts.replay}</Title>
      {fields.chips.length === 0 && <Empty title={texts.replayNeeds} />}
      {fields.chips.length > 0 && replay.isPending && (
        <Loading label={texts.replayLoading}>
          <Skeleton height={160} />
        </Loading>
      )}
      {replay.isError && (
        <Failed error={replay.error} onRetry={() => void replay.refetch()} isOld={replay.data !== undefined} />
      )}
      {replay.data && fields.chips.length > 0 && (
        <div className={isStale ? `${classes.block} ${classes.stale}` : classes.block}>
          <Replayed replay={replay.data} />
        </div>
      )}
      {isStale && replay.data && (
        <Text size="xs" className="dim" role="status">
          {texts.replayLoading}
        </Text>
      )}
    </section>
  );
}

function Replayed({ replay }: { replay: Schema<'TuningPreviewDto'> }) {
  const { before, after, from, until, metrics_count: all, previewed_count: shown } = replay;
  if (all === 0) return <Text size="sm">{texts.noSuchChips}</Text>;
  const lanes = lanesOf(before.anomalies, after.anomalies);
  return (
    <>
      <Text size="sm" className="dim">
        {texts.replayOf(Math.round((until - from) / 86_400), shown, all)}
      </Text>
      <Text>
        <strong>{texts.countChange(before.anomalies_count, after.anomalies_count)}</strong>{' '}
        <span className="dim">{texts.goneAndAdded(replay.gone, replay.added)}</span>
      </Text>
      {replay.gone === 0 && replay.added === 0 && <Text size="sm">{texts.noChange}</Text>}
      <div className={classes.lanes}>
        {lanes.slice(0, MAX_LANES).map((lane) => (
          <Lane key={lane.metric} {...lane} from={from} until={until} />
        ))}
      </div>
      <List title={texts.gone} rows={missingFrom(before.anomalies, after.anomalies)} />
      <List title={texts.added} rows={missingFrom(after.anomalies, before.anomalies)} />
    </>
  );
}

type Previewed = Schema<'PreviewedAnomalyDto'>;

/** The anomalies of a metric over the replayed days: above with the current settings, below with the proposed ones. */
function Lane({
  metric,
  before,
  after,
  from,
  until,
}: {
  metric: string;
  before: readonly Previewed[];
  after: readonly Previewed[];
  from: number;
  until: number;
}) {
  const x = (timestamp: number): number => ((timestamp - from) / (until - from)) * WIDTH;
  const mark = (anomaly: Previewed, top: number, flags: Record<string, true>) => (
    <rect
      key={`${String(top)} ${String(anomaly.from)} ${anomaly.kind}`}
      x={x(anomaly.from)}
      y={top}
      width={Math.max(3, x(anomaly.until ?? until) - x(anomaly.from))}
      height={8}
      className={classes.mark}
      {...flags}
    />
  );
  const gone = new Set(missingFrom(before, after));
  const added = new Set(missingFrom(after, before));
  return (
    <div>
      <Text size="xs" className="mono">
        <MetricName name={metric} />
      </Text>
      <svg
        className={classes.lane}
        height={LANE}
        viewBox={`0 0 ${String(WIDTH)} ${String(LANE)}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={texts.lane(metric, before.length, after.length)}
      >
        <line className={classes.laneBase} x1={0} x2={WIDTH} y1={11} y2={11} />
        <line className={classes.laneBase} x1={0} x2={WIDTH} y1={24} y2={24} />
        {before.map((anomaly) => mark(anomaly, 2, gone.has(anomaly) ? { 'data-gone': true } : { 'data-kept': true }))}
        {after.map((anomaly) => mark(anomaly, 15, added.has(anomaly) ? { 'data-added': true } : { 'data-kept': true }))}
      </svg>
      <Text size="xs" className="dim">
        {texts.countChange(before.length, after.length)}
      </Text>
    </div>
  );
}

function List({ title, rows }: { title: string; rows: readonly Previewed[] }) {
  if (rows.length === 0) return null;
  return (
    <div>
      <Title order={3}>{title}</Title>
      <ul className={classes.rows}>
        {rows.slice(0, MAX_ROWS).map((row) => (
          <li key={`${row.metric} ${String(row.from)} ${row.kind}`} className={classes.short}>
            <SeverityMark severity={severityLabel(row.severity)} />
            <Time at={row.from} />
            <span>{kindText(row.kind)}</span>
            <span className="mono">
              <MetricName name={row.metric} />
            </span>
          </li>
        ))}
      </ul>
      {rows.length > MAX_ROWS && (
        <Text size="xs" className="dim">
          {texts.more(rows.length - MAX_ROWS)}
        </Text>
      )}
    </div>
  );
}
