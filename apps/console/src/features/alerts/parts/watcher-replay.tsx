import { Button, Group, Select, Skeleton, Text, Title, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { severityLabel } from '#libs/contracts';
import { Empty, Failed, Loading } from '../../../components/page-states';
import { SeverityMark } from '../../../components/severity';
import { Time } from '../../../components/times';
import { type Schema } from '../../../lib/api';
import { keepView } from '../../../lib/keep-view';
import { inputText } from '../../../lib/time-input';
import { useMe } from '../../../lib/me';
import { useZone } from '../../../lib/zone';
import { replayQuery, watchedMetricsQuery, watchedSeriesQuery } from '../api/watcher-editor';
import { boxOf, rounded } from '../limit-chart';
import { lackOf, linesOf, type ReplayDay, sentLastWeek, type WatcherDraft, weeksOf } from '../watcher-draft';
import classes from '../watcher-editor.module.css';
import { texts } from '../watcher-editor.texts';
import { LimitChart } from './limit-chart';

export const REPLAY_DEBOUNCE_MS = 400;
const MAX_ROWS = 40;

type OnLine = (key: string, value: number) => void;

/**
 * The messages that the watcher would have sent in four weeks, on a calendar and on the series; while a new replay
 * runs, the last one stays. `onLine`: a limit was moved in the chart.
 */
export function WatcherReplay({ draft, onLine }: { draft: WatcherDraft; onLine: OnLine }) {
  const [tried] = useDebouncedValue(draft, REPLAY_DEBOUNCE_MS);
  const replay = useQuery(replayQuery(tried));
  const lack = lackOf(draft);
  const hasChips = draft.chips.length > 0;
  const isTried = lack === null;
  return (
    <section className={classes.replay} aria-busy={isTried && replay.isFetching} aria-labelledby="replay">
      <Title order={2} id="replay">
        {texts.replay}
      </Title>
      {!hasChips && <Empty title={texts.replayNeeds} />}
      {hasChips && <WatchedSeries draft={draft} replay={isTried ? replay.data : undefined} onLine={onLine} />}
      {hasChips && lack !== null && (
        <Text size="sm" className="dim">
          {texts.lacks[lack]}
        </Text>
      )}
      {isTried && replay.isPending && (
        <Loading label={texts.replayLoading}>
          <Skeleton height={160} />
        </Loading>
      )}
      {isTried && replay.error && (
        <Failed error={replay.error} onRetry={() => void replay.refetch()} isOld={replay.data !== undefined} />
      )}
      {isTried && replay.data && <Replayed replay={replay.data} isLimit={tried.type === 'threshold'} />}
    </section>
  );
}

/** One of the metrics with the messages about it, and the limits as movable lines. */
function WatchedSeries({
  draft,
  replay,
  onLine,
}: {
  draft: WatcherDraft;
  replay: Schema<'WatcherPreviewDto'> | undefined;
  onLine: OnLine;
}) {
  const zone = useZone();
  const [chips] = useDebouncedValue(draft.chips, REPLAY_DEBOUNCE_MS);
  const metrics = useQuery(watchedMetricsQuery(chips));
  const [chosen, setChosen] = useState<string | null>(null);
  const names = (metrics.data?.metrics ?? []).map(({ name }) => name);
  // The metric with the first message is the most informative, so it is shown until another one is selected.
  const alertedMetric = replay?.alerts.find(({ would_alert, metric }) => would_alert && names.includes(metric))?.metric;
  const metric = chosen !== null && names.includes(chosen) ? chosen : (alertedMetric ?? names[0] ?? '');
  const unit = metrics.data?.metrics.find(({ name }) => name === metric)?.unit ?? null;
  const series = useQuery(watchedSeriesQuery(metric));
  if (metrics.error) {
    return <Failed error={metrics.error} onRetry={() => void metrics.refetch()} isOld={metrics.data !== undefined} />;
  }
  if (metrics.data && names.length === 0) return null;
  const lines = draft.type === 'threshold' ? linesOf(draft.threshold) : [];
  const values = (series.data?.points ?? []).flatMap(([, value]) => value ?? []);
  const isLacking = lines.some(({ value }) => value === null);
  /** Sets initial limits that few values exceed. */
  const putLines = (): void => {
    const sorted = values.toSorted((one, other) => one - other);
    const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))] ?? 0;
    const isUpper = draft.threshold.algorithm === 'above';
    const box = boxOf(series.data?.points ?? [], []);
    for (const { key, value } of lines)
      if (value === null) onLine(key, rounded(at(key === 'upper' || isUpper ? 0.995 : 0.005), box));
  };
  return (
    <div>
      <Group justify="space-between" gap="xs" mb={4}>
        <Select
          aria-label={texts.series}
          size="xs"
          w={300}
          maw="100%"
          searchable
          allowDeselect={false}
          data={names}
          value={metric}
          onChange={setChosen}
        />
        {isLacking && values.length > 0 && (
          <Button variant="default" onClick={putLines}>
            {texts.setLine}
          </Button>
        )}
      </Group>
      {(metrics.isPending || series.isPending) && <Skeleton height={198} />}
      {series.error && (
        <Failed error={series.error} onRetry={() => void series.refetch()} isOld={series.data !== undefined} />
      )}
      {series.data && values.length === 0 && <Empty title={texts.noSeries} />}
      {series.data && values.length > 0 && (
        <LimitChart
          label={texts.chart(metric)}
          points={series.data.points}
          window={series.data.window}
          zone={zone}
          unit={unit}
          lines={lines.flatMap(({ key, value }) =>
            value === null
              ? []
              : [{ key, value, label: lines.length > 1 && key === 'value' ? texts.lower : texts.line[key] }],
          )}
          marks={(replay?.alerts ?? [])
            .filter((alert) => alert.metric === metric)
            .map(({ timestamp, severity, would_alert }) => ({ at: timestamp, severity, isSent: would_alert }))}
          onLine={onLine}
        />
      )}
      {lines.length > 0 && !isLacking && (
        <Text size="xs" className="dim">
          {texts.lineHint}
        </Text>
      )}
    </div>
  );
}

function Replayed({ replay, isLimit }: { replay: Schema<'WatcherPreviewDto'>; isLimit: boolean }) {
  const { metrics_count: metrics, alerts_count: sent, anomalies_count: anomalies, truncated } = replay;
  const zone = useMe().org.timezone;
  const weeks = weeksOf(replay.per_day, inputText(replay.until, zone).slice(0, 10));
  const messages = replay.alerts.filter(({ would_alert: wouldAlert }) => wouldAlert);
  return (
    <>
      <Text size="sm" role="status">
        {metrics === 0 ? (
          texts.coversNone
        ) : (
          <>
            <span className={classes.headline}>{texts.wouldWeek(sentLastWeek(weeks))}</span>{' '}
            {isLimit ? texts.wouldLimit(sent, replay.suppressed_count) : texts.would(sent, anomalies)}{' '}
            {texts.covers(metrics)}
          </>
        )}
      </Text>
      <Calendar weeks={weeks} />
      <Title order={3} mt="sm">
        {texts.messages}
      </Title>
      {messages.length === 0 && (
        <Text size="sm" className="dim">
          {isLimit ? texts.noMessagesLimit : texts.noMessages}
        </Text>
      )}
      <ul className={classes.messages}>
        {messages.slice(0, MAX_ROWS).map((message) => (
          <Message key={`${String(message.timestamp)} ${String(message.metric_id)}`} message={message} />
        ))}
      </ul>
      {(truncated || messages.length > MAX_ROWS) && (
        <Text size="xs" className="dim">
          {texts.partial}
        </Text>
      )}
    </>
  );
}

function Message({
  message: { timestamp, metric, anomaly_id: id, severity },
}: {
  message: Schema<'PreviewedAlertDto'>;
}) {
  return (
    <li className={classes.message}>
      <SeverityMark severity={severityLabel(severity)} withText={false} />
      <span className={classes.time}>
        <Time at={timestamp} />
      </span>
      {id === null ? (
        <span className="mono">{metric}</span>
      ) : (
        <Link
          to="/anomaly/$anomalyId"
          params={{ anomalyId: String(id) }}
          search={keepView as never}
          className={`mono ${classes.metric ?? ''}`}
        >
          {metric}
        </Link>
      )}
    </li>
  );
}

/** One square per day, one row per week; the number is that of the messages. */
function Calendar({ weeks }: { weeks: readonly (readonly ReplayDay[])[] }) {
  return (
    <ul className={classes.calendar} aria-label={texts.days}>
      {weeks.flat().map(({ date, sent, keptBack }) => {
        const text = texts.day(date, sent, keptBack);
        return (
          <li key={date} className={classes.day} data-sent={sent > 0 || undefined} title={text}>
            <span aria-hidden="true">{sent > 0 ? sent : '·'}</span>
            <VisuallyHidden>{text}</VisuallyHidden>
          </li>
        );
      })}
    </ul>
  );
}
