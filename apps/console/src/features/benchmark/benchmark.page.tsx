import { Alert, Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { Empty, Failed, PageSkeleton, RowsSkeleton } from '../../components/page-states';
import { Ago, Time } from '../../components/times';
import { ApiError, type Schema } from '../../lib/api';
import { isolated } from '../../lib/isolated';
import { keepView } from '../../lib/keep-view';
import { countOf } from '../../lib/numbers';
import { durationText } from '../../lib/time';
import { chartDataQuery, modelsQuery, statusQuery } from './api/benchmark';
import { type BenchmarkSearch } from './benchmark-search';
import { texts } from './benchmark.texts';
import { resultsOf } from './compare';
import { ProgressPart } from './parts/progress-part';
import { Results } from './parts/results';
import { SharePart } from './parts/share-part';

/**
 * One benchmark, or two of one series: their progress, then the results of each model. Everyone with the link may read
 * it.
 */
export function BenchmarkPage() {
  const { benchmarkId = '' } = useParams({ strict: false });
  const { with: second }: BenchmarkSearch = useSearch({ strict: false });
  const { data, error, refetch } = useQuery(statusQuery(benchmarkId));
  if (data) {
    return (
      <>
        {error && <Failed error={error} onRetry={() => void refetch()} isOld />}
        <LoadedBenchmark key={benchmarkId} first={data.benchmark} secondId={second} />
      </>
    );
  }
  if (!error) return <PageSkeleton />;
  const status = error instanceof ApiError ? error.status : 0;
  if (status === 404 || status === 410) return <Missing id={benchmarkId} isExpired={status === 410} />;
  return (
    <>
      <Title order={1}>{texts.title}</Title>
      <Failed error={error} onRetry={() => void refetch()} isOld={false} />
    </>
  );
}

function Missing({ id, isExpired }: { id: string; isExpired: boolean }) {
  return (
    <Stack gap="xs">
      <Title order={1}>{texts.title}</Title>
      <Empty title={isExpired ? texts.expired : texts.missing(isolated(id))}>
        {isExpired ? texts.expiredText : texts.missingText}{' '}
        <Anchor component={Link} to="/benchmark" search={keepView as never} size="sm" underline="always">
          {texts.newOne}
        </Anchor>
      </Empty>
    </Stack>
  );
}

type Benchmark = Schema<'BenchmarkDto'>;

const isDone = ({ status }: Benchmark): boolean => status === 'finished' || status === 'failed';
const isSameSeries = (one: Benchmark, other: Benchmark): boolean =>
  one.from === other.from && one.until === other.until && one.points_count === other.points_count;

function LoadedBenchmark({ first, secondId }: { first: Benchmark; secondId: string | undefined }) {
  const second = useQuery({ ...statusQuery(secondId ?? ''), enabled: secondId !== undefined });
  const other = second.data?.benchmark;
  const isOther = other !== undefined && !isSameSeries(first, other);
  const benchmarks = useMemo(() => (other && !isOther ? [first, other] : [first]), [first, other, isOther]);
  const models = useQuery(modelsQuery);
  const finished = benchmarks.filter(({ status }) => status === 'finished');
  const charts = useQueries({
    queries: finished.map(({ benchmark_id: id }) => chartDataQuery(id)),
    combine: (queries) => ({
      data: queries.flatMap(({ data }) => data ?? []),
      error: queries.find(({ error }) => error !== null)?.error ?? null,
      refetch: () => queries.forEach((query) => void query.refetch()),
    }),
  });
  const results = useMemo(
    () => resultsOf(benchmarks, charts.data, (id) => models.data?.models.find((model) => model.id === id)?.name ?? id),
    [benchmarks, charts.data, models.data],
  );
  const [chart] = charts.data;
  const failed = benchmarks.find(({ status }) => status === 'failed');
  return (
    <Stack gap="md">
      <Header benchmark={first} />
      {first.message !== '' && first.status !== 'failed' && (
        <Text size="sm" role="note">
          {texts.notAll(first.message)}
        </Text>
      )}
      {benchmarks.some((one) => !isDone(one)) && <ProgressPart benchmarks={benchmarks} results={results} />}
      {failed && (
        <Alert color="red" variant="light" title={texts.failed} role="alert">
          {failed.message}
        </Alert>
      )}
      {second.error && (
        <Failed error={second.error} onRetry={() => void second.refetch()} isOld={other !== undefined} />
      )}
      {isOther && (
        <Text size="sm" role="note">
          {texts.otherSeries}
        </Text>
      )}
      {charts.error && <Failed error={charts.error} onRetry={charts.refetch} isOld={chart !== undefined} />}
      {chart ? (
        <Results benchmark={first} chart={chart} results={results} />
      ) : (
        finished.length > 0 && !charts.error && <RowsSkeleton rows={12} />
      )}
      <SharePart expiresAt={Math.min(...benchmarks.map((one) => one.expires_timestamp))} />
    </Stack>
  );
}

function Header({ benchmark }: { benchmark: Benchmark }) {
  const { name, points_count: points, resolution_seconds: seconds, from, until, labels_count: labels } = benchmark;
  return (
    <Group justify="space-between" align="flex-start" gap="xs">
      <div>
        <Title order={1}>
          <bdi>{name === '' ? texts.unnamed : name}</bdi>
        </Title>
        <Text size="sm" className="dim" component="div">
          {texts.points(points)}, {texts.every(durationText(seconds))}, <Time at={from} /> – <Time at={until} />.{' '}
          {countOf(labels, 'label')}. {texts.erasedIn} <Ago at={benchmark.expires_timestamp} />.
        </Text>
      </div>
      <Button
        component={Link}
        to="/benchmark"
        search={(({ tz }: { tz?: string }) => (tz === undefined ? {} : { tz })) as never}
        variant="default"
      >
        {texts.newOne}
      </Button>
    </Group>
  );
}
