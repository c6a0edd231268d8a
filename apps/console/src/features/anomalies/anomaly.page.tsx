import { MetricLink } from '../../components/metric-link';
import { Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Failed, Loading, RecordMissing, RowsSkeleton } from '../../components/page-states';
import { SeverityMark } from '../../components/severity';
import { ApiError, type Schema } from '../../lib/api';
import { kindText } from '../../lib/kinds';
import { useDataNow } from '../../lib/now';
import { useSetWindow, useWindow, type ViewSearch } from '../../lib/window';
import { useZone } from '../../lib/zone';
import { anomalyQuery } from './api/anomaly';
import { summaryQuery } from './api/neighbours';
import { bandQuery, metricQuery, seriesQuery } from './api/series';
import { sentenceOf, valuesBetween, windowAround } from './anomaly-sentence';
import { texts } from './anomaly.texts';
import classes from './anomaly.module.css';
import { Account, LookAlike } from './parts/account';
import { AnomalyChart } from './parts/anomaly-chart';
import { Facts } from './parts/facts';
import { Neighbours } from './parts/neighbours';
import { Patterns } from './parts/patterns';
import { VerdictButtons } from './parts/verdict-buttons';

export function AnomalyPage() {
  const { anomalyId } = useParams({ strict: false });
  const id = Number(anomalyId);
  const isId = Number.isInteger(id) && id > 0;
  const answer = useQuery({ ...anomalyQuery(id), enabled: isId });
  if (!isId || (answer.error instanceof ApiError && answer.error.status === 404)) {
    return <RecordMissing kind="anomaly" id={anomalyId ?? ''} />;
  }
  if (answer.isPending) return <AnomalySkeleton />;
  return (
    <Stack gap="sm">
      {answer.isError && !answer.data && <Title order={1}>{texts.one(id)}</Title>}
      {answer.isError && (
        <Failed error={answer.error} onRetry={() => void answer.refetch()} isOld={answer.data !== undefined} />
      )}
      {answer.data && <Loaded key={id} answer={answer.data} />}
    </Stack>
  );
}

function Loaded({ answer }: { answer: Schema<'AnomalyAnswerDto'> }) {
  const { anomaly } = answer;
  const zone = useZone();
  const now = useDataNow();
  const { window, isMoved } = useAnomalyWindow(anomaly, now);
  const setWindow = useSetWindow();
  const reset = useResetWindow();
  const metric = useQuery(metricQuery(anomaly.metric));
  // The sentence is about the anomaly, not about the window of the chart: it does not change when the chart is zoomed.
  const around = windowAround(anomaly, anomaly.until_timestamp ?? window.until);
  const series = useQuery(seriesQuery(anomaly.metric, around));
  const band = useQuery(bandQuery(anomaly.metric, around));
  const isNeverNegative = band.data?.lower.every((value) => value === null || value >= 0) ?? false;
  const summary = useQuery(summaryQuery(anomaly.metric));
  const { unit } = anomaly;
  // The sentence depends on all of these: if it were shown earlier, it would change while it is read.
  if ([metric, series, band, summary].some(({ isPending }) => isPending)) return <AnomalySkeleton />;
  const valueRange =
    series.data === undefined
      ? null
      : valuesBetween(series.data.timestamps, series.data.values, anomaly.timestamp, anomaly.out_until_timestamp);
  return (
    <>
      <header className={classes.head}>
        <Title order={1}>{sentenceOf({ anomaly, valueRange, isNeverNegative, unit, zone, now })}</Title>
        <div className={classes.subtitle}>
          <SeverityMark severity={anomaly.severity_label} />
          <span>{kindText(anomaly.kind)}</span>
          <MetricLink metric={anomaly.metric} />
          {metric.data?.metric.description && (
            <Text size="sm">
              <bdi>{metric.data.metric.description}</bdi>
            </Text>
          )}
        </div>
      </header>
      <div className={classes.columns}>
        <div className={classes.main}>
          <AnomalyChart
            answer={answer}
            window={window}
            zone={zone}
            isMoved={isMoved}
            onWindowChange={setWindow}
            onReset={reset}
          />
          <div className={classes.neighbours}>
            <Neighbours answer={answer} window={window} />
          </div>
        </div>
        <div className={classes.side}>
          <Account anomaly={anomaly} now={now} />
          <div className={classes.block}>
            <VerdictButtons answer={answer} zone={zone} />
          </div>
          <LookAlike anomaly={anomaly} zone={zone} now={now} />
          <Patterns anomaly={anomaly} unit={unit} />
          <Facts answer={answer} unit={unit} isNeverNegative={isNeverNegative} />
        </div>
      </div>
    </>
  );
}

function AnomalySkeleton() {
  return (
    <Loading>
      <Skeleton height={28} width="80%" mb={6} />
      <Skeleton height={20} width="30%" mb={14} />
      <div className={classes.columns}>
        <div className={classes.main}>
          <Skeleton height={400} />
        </div>
        <div className={classes.side}>
          <RowsSkeleton rows={8} height={40} />
        </div>
      </div>
    </Loading>
  );
}

/** The window of the address if it contains the anomaly, otherwise the one around it. */
function useAnomalyWindow(
  { timestamp, until_timestamp: until }: Schema<'AnomalyDto'>,
  now: number,
): { window: { from: number; until: number }; isMoved: boolean } {
  const view: ViewSearch = useSearch({ strict: false });
  const chosen = useWindow();
  const isChosen = view.w !== undefined || view.from !== undefined;
  if (isChosen && chosen.from < (until ?? now) + 3600 && chosen.until > timestamp - 3600) {
    return { window: { from: chosen.from, until: chosen.until }, isMoved: true };
  }
  // An open anomaly grows: its window moves each minute, not with each tick.
  return { window: windowAround({ timestamp, until_timestamp: until }, Math.ceil(now / 60) * 60), isMoved: false };
}

function useResetWindow(): () => void {
  const navigate = useNavigate();
  return () =>
    void navigate({
      to: '.',
      search: ({ w: _w, from: _from, until: _until, ...rest }: Record<string, unknown>) => rest,
    } as never);
}
