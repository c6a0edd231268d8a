import { Button, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { type ChartStretch } from '../../../components/chart/chart-props';
import { MetricChart } from '../../../components/chart/metric-chart';
import { type Schema } from '../../../lib/api';
import { withoutGaps } from '../../../lib/search-params';
import { useSetWindow, useWindow, type ViewSearch } from '../../../lib/window';
import { useZone } from '../../../lib/zone';
import { type BenchmarkSearch } from '../benchmark-search';
import { texts } from '../benchmark.texts';
import { type BenchmarkData } from '../chart-data';
import { isRight, type ModelResult, sorted } from '../compare';
import { isKeptHere } from '../kept-benchmarks';
import { type Label, labelOf } from '../labels';
import { useLabels } from '../use-labels';
import { ComparisonTable } from './comparison-table';
import { FoundList } from './found-list';
import { LabelList } from './label-list';
import { RunAgain } from './run-again';
import { SideBySide } from './side-by-side';
import classes from '../benchmark.module.css';

const CHART_HEIGHT = 300;

/** The results of the models: the series with its labels, the figures, and all models on one time axis. */
export function Results({
  benchmark,
  chart,
  results,
}: {
  benchmark: Schema<'BenchmarkDto'>;
  chart: BenchmarkData;
  results: readonly ModelResult[];
}) {
  const search: BenchmarkSearch & ViewSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const ofRun = chart.labels;
  const labels = useLabels(ofRun);
  const sort = search.sort ?? (ofRun.length > 0 ? 'f1' : 'anomalies');
  const rows = useMemo(() => sorted(results, sort, search.reverse === true), [results, sort, search.reverse]);
  // While no model is selected, the first one of the API is shown, so that sorting the table does not change the chart.
  const shown = results.find(({ id }) => id === search.model) ?? results.find(({ data }) => data) ?? results[0]!;
  const change = (part: BenchmarkSearch): void =>
    void navigate({
      to: '.',
      replace: true,
      search: (current: BenchmarkSearch) => withoutGaps({ ...current, ...part }),
    } as never);
  const span = useMemo(
    () => ({ from: benchmark.from, until: Math.max(benchmark.until, benchmark.from + 1) }),
    [benchmark.from, benchmark.until],
  );
  const chosen = useWindow();
  const window = search.w === undefined && search.from === undefined ? span : chosen;
  const comparison = (
    <section aria-labelledby="compare">
      <Title order={2} id="compare">
        {texts.compare}
      </Title>
      <ComparisonTable
        results={rows}
        hasLabels={ofRun.length > 0}
        sort={sort}
        isReversed={search.reverse === true}
        shown={shown.id}
        onSort={(next) => change({ sort: next, reverse: next === sort && search.reverse !== true ? true : undefined })}
        onShow={(model) => change({ model })}
      />
    </section>
  );
  const picture = (
    <SeriesPart benchmark={benchmark} chart={chart} shown={shown} span={span} window={window} labels={labels} />
  );
  const side = <SideBySide results={rows} series={chart.series} labels={labels.list} window={window} />;
  const lists = (
    <div className={classes.two}>
      <LabelList labels={labels} series={span} seed={shown.data?.anomalies[0]} />
      <FoundList
        model={shown}
        labels={labels.list}
        filter={search.found}
        onFilter={(found) => change({ found })}
        onLabel={(found) => {
          const label = labelOf(found, span);
          if (label) labels.add(label);
        }}
      />
    </div>
  );
  const again = <RunAgain benchmark={benchmark} results={results} labels={labels} />;
  // The comparison first; without labels there is none yet, so the steps to it come first.
  return ofRun.length > 0 ? (
    <>
      {comparison}
      {picture}
      {side}
      {lists}
      {again}
    </>
  ) : (
    <>
      {picture}
      {lists}
      {again}
      {comparison}
      {side}
    </>
  );
}

function SeriesPart({
  benchmark,
  chart,
  shown,
  span,
  window,
  labels,
}: {
  benchmark: Schema<'BenchmarkDto'>;
  chart: BenchmarkData;
  shown: ModelResult;
  span: { from: number; until: number };
  window: { from: number; until: number };
  labels: ReturnType<typeof useLabels>;
}) {
  const zone = useZone();
  const setWindow = useSetWindow();
  const navigate = useNavigate();
  const [dragging, setDragging] = useState<'zoom' | 'label'>(() =>
    isKeptHere(benchmark.benchmark_id) ? 'label' : 'zoom',
  );
  const [isAdded, setAdded] = useState(false);
  const name = chart.name === '' ? texts.unnamed : chart.name;
  const series = useMemo(() => ({ ...chart.series, name }), [chart.series, name]);
  const anomalies = useMemo(() => stretchesOf(shown, labels.list), [shown, labels.list]);
  const marks = useMemo(
    () => labels.list.map(([from, until], i) => ({ from, until, label: texts.label(i + 1) })),
    [labels.list],
  );
  const isZoomed = window.from !== span.from || window.until !== span.until;
  const showAll = (): void =>
    void navigate({
      to: '.',
      search: (current: Record<string, unknown>) =>
        withoutGaps({ ...current, w: undefined, from: undefined, until: undefined }),
    } as never);
  const mark = (stretch: { from: number; until: number }): void => {
    const label = labelOf(stretch, span);
    if (!label) return;
    labels.add(label);
    setAdded(true);
  };
  return (
    <section aria-labelledby="series">
      <div className={classes.head}>
        <Title order={2} id="series">
          {texts.series}
        </Title>
        <Group gap="xs">
          <Text size="xs" className="dim" role="status">
            {isAdded && labels.isChanged ? texts.added : ''}
          </Text>
          {isZoomed && (
            <Button variant="default" onClick={showAll}>
              {texts.all}
            </Button>
          )}
          <SegmentedControl
            size="xs"
            aria-label={texts.dragging}
            value={dragging}
            onChange={(value) => setDragging(value === 'label' ? 'label' : 'zoom')}
            data={[
              { value: 'label', label: texts.draggings.label },
              { value: 'zoom', label: texts.draggings.zoom },
            ]}
          />
        </Group>
      </div>
      <Stack gap={4}>
        <MetricChart
          title={texts.chartTitle(name, shown.name)}
          unit=""
          zone={zone}
          window={window}
          series={series}
          expected={shown.data?.range}
          anomalies={anomalies}
          labels={marks}
          height={CHART_HEIGHT}
          onWindowChange={setWindow}
          onMark={dragging === 'label' ? mark : undefined}
        />
      </Stack>
    </section>
  );
}

/** Anomalies on no label are less prominent: if there are labels, these are the false ones. */
function stretchesOf({ data }: ModelResult, labels: readonly Label[]): ChartStretch[] {
  return (data?.anomalies ?? []).map((anomaly) => ({
    from: anomaly.from,
    until: anomaly.until,
    kind: anomaly.kind,
    value: anomaly.value,
    lower: null,
    upper: null,
    severity: labels.length === 0 || isRight(anomaly, labels) ? 'major' : 'info',
  }));
}
