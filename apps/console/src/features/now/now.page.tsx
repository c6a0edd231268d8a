import { Anchor, Skeleton, Text, Title } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode } from 'react';
import { severityLabel } from '#libs/contracts';
import { MetricName } from '../../components/metric-name';
import { Failed, Loading, RowsSkeleton } from '../../components/page-states';
import { SeverityMark } from '../../components/severity';
import { Ago } from '../../components/times';
import { type Schema } from '../../lib/api';
import { keepView } from '../../lib/keep-view';
import { useMe } from '../../lib/me';
import { summaryQuery } from '../../lib/summary';
import { durationText, lastedText, timeText } from '../../lib/time';
import { useWindow } from '../../lib/window';
import { useZone } from '../../lib/zone';
import {
  lastAnomalyQuery,
  matchesQuery,
  metricStatesQuery,
  MAX_METRICS_READ,
  MAX_STRETCHES,
  mostAnomalousQuery,
  openIncidentsQuery,
  recentlyMatchedQuery,
  stretchesQuery,
} from './api/now.queries';
import { lanesOf } from './lanes';
import { texts } from './now.texts';
import { OpenIncidents } from './parts/open-incidents';
import { SwimLane, useLanePlace } from './parts/swim-lane';
import classes from './now.module.css';

const MAX_LANES = 12;
const MAX_MATCHED_LANES = 6;
const SHORT_LIST = 6;
const LIVE = 300;

/** States whether anything is unusual, in words, above the data that supports this. */
export function NowPage() {
  const window = useWindow();
  const incidents = useQuery(openIncidentsQuery);
  const summary = useQuery(summaryQuery);
  const last = useQuery(lastAnomalyQuery);
  // Requested with everything else, but shown in order: lower parts wait until their position is final.
  const below = [
    useQuery(mostAnomalousQuery(window)),
    useQuery(stretchesQuery(window)),
    useQuery(recentlyMatchedQuery),
  ];
  const counts = summary.data?.summary;
  if (counts?.metrics.total === 0) return <NoData />;
  const isQuiet = incidents.data?.total === 0;
  if (incidents.isPending || summary.isPending || (isQuiet && last.isPending)) return <NowSkeleton />;
  return (
    <>
      {incidents.data ? <Sentence incidents={incidents.data} counts={counts} /> : <Title order={1}>{texts.page}</Title>}
      {incidents.isError && (
        <Failed error={incidents.error} onRetry={() => void incidents.refetch()} isOld={incidents.data !== undefined} />
      )}
      {incidents.data && incidents.data.incidents.length > 0 && (
        <OpenIncidents incidents={incidents.data.incidents} total={incidents.data.total} />
      )}
      {below.some(({ isPending }) => isPending) ? (
        <BelowSkeleton />
      ) : (
        <>
          <Lanes />
          <div className={classes.columns}>
            <MostAnomalous />
            <LatestMatches />
          </div>
          {summary.isError && (
            <Failed error={summary.error} onRetry={() => void summary.refetch()} isOld={summary.data !== undefined} />
          )}
          {counts && <Health counts={counts} />}
        </>
      )}
    </>
  );
}

function NowSkeleton() {
  return (
    <Loading>
      <Skeleton height={30} width="60%" my={4} />
      <RowsSkeleton rows={2} height={64} />
      <BelowSkeleton />
    </Loading>
  );
}

function BelowSkeleton() {
  const { row } = useLanePlace();
  return (
    <div className={classes.below}>
      <RowsSkeleton rows={13} height={row} />
      <div className={classes.columns}>
        <RowsSkeleton rows={7} height={28} />
        <RowsSkeleton rows={7} height={28} />
      </div>
    </div>
  );
}

function NoData() {
  return (
    <>
      <Title order={1}>{texts.noData}</Title>
      <Text mt={4} mb="sm">
        {texts.noDataText}
      </Text>
      <Anchor renderRoot={(props: object) => <Link {...props} to="/start" />}>{texts.start}</Anchor>
    </>
  );
}

function Sentence({
  incidents,
  counts,
}: {
  incidents: Schema<'IncidentsDto'>;
  counts: Schema<'SummaryDto'> | undefined;
}) {
  const zone = useZone();
  const isLive = useMe().org.onboarding_status_id >= LIVE;
  const { incidents: rows, total } = incidents;
  if (total === 0) {
    return (
      <Title order={1} className={classes.sentence}>
        {isLive ? texts.fine : texts.stillLearning} <LastAnomaly />
      </Title>
    );
  }
  const since = Math.min(...rows.map(({ started_timestamp }) => started_timestamp));
  const odd = rows.reduce((sum, { metrics_count }) => sum + metrics_count, 0);
  const others = Math.max(0, (counts?.metrics.active ?? 0) - odd);
  return (
    <>
      <Title order={1} className={classes.sentence}>
        {texts.odd(total, timeText(since, zone))}
      </Title>
      <Text size="sm" className="dim" mih={20}>
        {counts && total === rows.length && others > 0 && texts.others(others)}
      </Text>
    </>
  );
}

function LastAnomaly() {
  const { data } = useQuery(lastAnomalyQuery);
  if (!data) return null;
  const last = data.metrics[0];
  if (!last) return <Text span>{texts.neverOdd}</Text>;
  return (
    <>
      {texts.lastWas}{' '}
      <Link
        to="/anomaly/$anomalyId"
        params={{ anomalyId: String(last.anomaly.id) }}
        search={keepView as never}
        className="mono"
      >
        <MetricName name={last.metric} />
      </Link>{' '}
      <Ago at={last.anomaly.out_until_timestamp ?? last.anomaly.timestamp} />.
    </>
  );
}

/** Up to two days in hours: `24 h`, as people write it. */
const lengthText = (seconds: number): string =>
  seconds % 3600 === 0 && seconds <= 172_800 ? texts.hours(seconds / 3600) : durationText(seconds);

function Lanes() {
  const window = useWindow();
  const { lanes: shape }: { lanes?: 'table' } = useSearch({ strict: false });
  const navigate = useNavigate();
  const worst = useQuery(mostAnomalousQuery(window));
  const stretches = useQuery(stretchesQuery(window));
  const recent = useQuery(recentlyMatchedQuery);
  const matched = (recent.data?.metrics ?? [])
    .filter((metric) => metric.last_match_timestamp >= window.from)
    .slice(0, MAX_MATCHED_LANES);
  const matches = useQueries({
    queries: matched.map(({ metric_id, metric }) => matchesQuery(metric_id, metric, window)),
  });
  const setTable = (isTable: boolean): void =>
    void navigate({
      to: '.',
      search: ({ lanes: _lanes, ...rest }: Record<string, unknown>) => ({
        ...rest,
        ...(isTable ? { lanes: 'table' } : {}),
      }),
      replace: true,
    } as never);
  const error = worst.error ?? stretches.error;
  const lanes = lanesOf(
    // Metrics with matches have lanes before the matches are loaded, so that nothing moves when they arrive.
    [...(worst.data?.metrics ?? []), ...matched].map(({ metric }) => metric),
    stretches.data ?? [],
    matches.flatMap(({ data }) => data ?? []),
    MAX_LANES,
  );
  const isPartial = (stretches.data?.length ?? 0) >= MAX_STRETCHES;
  return (
    <section aria-labelledby="lanes">
      <Section
        id="lanes"
        title={(window.lastSeconds === null ? texts.lanesFixed : texts.lanes)(lengthText(window.until - window.from))}
      />
      {error && (
        <Failed
          error={error}
          onRetry={() => void Promise.all([worst.refetch(), stretches.refetch()])}
          isOld={worst.data !== undefined && stretches.data !== undefined}
        />
      )}
      {(worst.isPending || stretches.isPending) && !error && <RowsSkeleton rows={6} />}
      {worst.data &&
        stretches.data &&
        (lanes.length === 0 ? (
          <Text size="sm" className="dim">
            {texts.lanesEmpty}
          </Text>
        ) : (
          <SwimLane
            lanes={lanes}
            window={window}
            isTable={shape === 'table'}
            onTable={setTable}
            note={isPartial ? texts.lanesPartial(MAX_STRETCHES) : ''}
          />
        ))}
    </section>
  );
}

function Section({ id, title }: { id: string; title: string }) {
  return (
    <div className={classes.head}>
      <Title order={2} id={id}>
        {title}
      </Title>
    </div>
  );
}

function MostAnomalous() {
  const window = useWindow();
  const { data, isPending, error, refetch } = useQuery(mostAnomalousQuery(window));
  return (
    <ShortList
      id="most"
      title={texts.most}
      empty={texts.mostEmpty}
      isPending={isPending}
      error={error}
      onRetry={() => void refetch()}
      count={data?.metrics.length ?? 0}
    >
      {data?.metrics
        .slice(0, SHORT_LIST)
        .map(({ metric, metric_id, anomaly_count, anomalous_seconds, max_severity }) => (
          <li key={metric_id} className={classes.item}>
            <span>
              <SeverityMark severity={severityLabel(max_severity)} withText={false} />{' '}
              <Link
                to="/metric/$metricName"
                params={{ metricName: metric }}
                search={keepView as never}
                className="mono"
              >
                <MetricName name={metric} />
              </Link>
            </span>
            <span className="dim">
              {texts.anomalies(anomaly_count)}, {lastedText(anomalous_seconds)}
            </span>
          </li>
        ))}
    </ShortList>
  );
}

function LatestMatches() {
  const { data, isPending, error, refetch } = useQuery(recentlyMatchedQuery);
  return (
    <ShortList
      id="matches"
      title={texts.matches}
      empty={texts.matchesEmpty}
      isPending={isPending}
      error={error}
      onRetry={() => void refetch()}
      count={data?.metrics.length ?? 0}
    >
      {data?.metrics.slice(0, SHORT_LIST).map(({ metric, match, last_match_timestamp }) => (
        <li key={match.id} className={classes.item}>
          <span>
            <Link
              to="/match/$matchId"
              params={{ matchId: String(match.id) }}
              search={keepView as never}
              className="mono"
            >
              <MetricName name={metric} />
            </Link>{' '}
            <span className="dim">
              <bdi>{match.pattern_label}</bdi>
            </span>
          </span>
          <span className="dim">
            {match.validated === null ? texts.toJudge : texts.judged(match.validated)},{' '}
            <Ago at={last_match_timestamp} />
          </span>
        </li>
      ))}
    </ShortList>
  );
}

function ShortList({
  id,
  title,
  empty,
  isPending,
  error,
  onRetry,
  count,
  children,
}: {
  id: string;
  title: string;
  empty: string;
  isPending: boolean;
  error: Error | null;
  onRetry: () => void;
  count: number;
  children: ReactNode;
}) {
  return (
    <section aria-labelledby={id}>
      <Section id={id} title={title} />
      {error && <Failed error={error} onRetry={onRetry} isOld={count > 0} />}
      {isPending && !error && <RowsSkeleton rows={4} height={28} />}
      {!isPending && !error && count === 0 ? (
        <Text size="sm" className="dim">
          {empty}
        </Text>
      ) : (
        <ul className={classes.list}>{children}</ul>
      )}
    </section>
  );
}

function Health({ counts }: { counts: Schema<'SummaryDto'> }) {
  const { metrics, alerts, last_data_timestamp: lastData } = counts;
  const states = useQuery({ ...metricStatesQuery, enabled: metrics.total <= MAX_METRICS_READ });
  const matched = useQuery(recentlyMatchedQuery);
  const waiting = (matched.data?.metrics ?? []).filter(({ match }) => match.validated === null).length;
  const silent = metrics.stale + metrics.inactive;
  return (
    <section className={classes.health} aria-label={texts.health}>
      <Link to="/metrics" search={keepView as never}>
        {texts.metrics(metrics.total)}
        {', '}
        {states.data === undefined ? texts.sending(metrics.active) : texts.learnt(states.data)}
      </Link>
      <span>{texts.silent(silent)}</span>
      <span>
        {lastData === null ? (
          texts.noPoint
        ) : (
          <>
            {texts.lastPoint} <Ago at={lastData} />
          </>
        )}
      </span>
      <Link to="/alerts" search={keepView as never}>
        {texts.messages(alerts.last_7d)}
      </Link>
      {waiting > 0 && (
        <Link to="/teach" search={keepView as never}>
          {texts.waiting(waiting)}
        </Link>
      )}
    </section>
  );
}
