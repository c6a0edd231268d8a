import { Skeleton, Text } from '@mantine/core';
import { useDebouncedValue, useThrottledValue } from '@mantine/hooks';
import { useQueries } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Failed } from '../../../components/page-states';
import { type Schema } from '../../../lib/api';
import { type Hotkey, useHotkeyList } from '../../../lib/hotkeys';
import { keepView } from '../../../lib/keep-view';
import { metricsQuery, sparklinesQuery } from '../api/metrics';
import { PAGE_SIZE, partOf, reachableRows } from '../list-parts';
import { type MetricsSearch } from '../metrics-search';
import { texts } from '../metrics.texts';
import { pagesOf } from '../series-window';
import { MetricRow } from './metric-row';
import classes from './metrics.module.css';

const ROW_HEIGHT = 36;
const OVERSCAN = 8;
/** Time without scrolling after which the lines of rows are requested. */
const REST_MS = 150;
/**
 * Minimum interval of requests for pages of rows during scrolling; requests for pages that were scrolled past are
 * cancelled.
 */
const PASS_MS = 120;
/**
 * Number of rows whose lines are requested together: groups have fixed bounds, so that scrolling by a row does not
 * request any line again.
 */
const LINES_AT_ONCE = 25;

/** One list with the length of all metrics, of which only the visible rows are rendered. */
export function MetricRows({ search, total }: { search: MetricsSearch; total: number }) {
  const box = useRef<HTMLDivElement>(null);
  const count = reachableRows(total);
  const [chosen, setChosen] = useState(-1);
  const navigate = useNavigate();
  // eslint-disable-next-line react-hooks/incompatible-library -- what it returns is used here only
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
  });
  const items = virtualizer.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  // One debounced value: with separate ones, the first change would span hundreds of rows up to the old value of the
  // other.
  const [resting] = useDebouncedValue(`${String(first)} ${String(last)}`, REST_MS);
  const [restingFirst, restingLast] = resting.split(' ').map(Number) as [number, number];
  const passing = useThrottledValue(Math.floor(first / PAGE_SIZE), PASS_MS);

  const pages = pagesOf(first, last, PAGE_SIZE);
  const isPassedBy = Math.abs(passing - pages[0]!) > 1;
  const loaded = useQueries({
    queries: pages.map((page) => ({ ...metricsQuery(search, partOf(page, total)), enabled: !isPassedBy })),
  });
  const rowAt = (index: number): Schema<'MetricDto'> | undefined =>
    loaded[pages.indexOf(Math.floor(index / PAGE_SIZE))]?.data?.metrics[index % PAGE_SIZE];
  const failed = loaded.find(({ error }) => error);

  const lines = useQueries({
    queries: pagesOf(restingFirst, restingLast, LINES_AT_ONCE)
      .map((group) => idsOf(group, count, rowAt))
      .filter((ids) => ids.length > 0)
      .map(sparklinesQuery),
  });
  const lineOf = new Map(lines.flatMap(({ data }) => data?.sparklines ?? []).map((line) => [line.metric_id, line]));

  // Keys apply to the currently visible rows; the list of keys itself does not change.
  const keys = useRef({ move: (_step: number): void => undefined, open: (): void => undefined });
  useEffect(() => {
    keys.current = {
      move: (step) => {
        const next = Math.max(0, Math.min(count - 1, chosen === -1 ? first : chosen + step));
        setChosen(next);
        virtualizer.scrollToIndex(next);
      },
      open: () => {
        const name = rowAt(chosen)?.name;
        if (name === undefined) return;
        void navigate({ to: '/metric/$metricName', params: { metricName: name }, search: keepView } as never);
      },
    };
  });
  const hotkeys = useMemo<Hotkey[]>(
    () => [
      { keys: 'j', label: texts.next, group: texts.group, run: () => keys.current.move(1) },
      { keys: 'k', label: texts.previous, group: texts.group, run: () => keys.current.move(-1) },
      { keys: 'Enter', label: texts.openRow, group: texts.group, run: () => keys.current.open() },
    ],
    [],
  );
  useHotkeyList(hotkeys);

  return (
    <>
      {failed && (
        <Failed error={failed.error} onRetry={() => void failed.refetch()} isOld={failed.data !== undefined} />
      )}
      <div role="table" aria-label={texts.title} aria-rowcount={count + 1} className={classes.table}>
        <div role="rowgroup">
          <div role="row" aria-rowindex={1} className={classes.head}>
            <span role="columnheader">{texts.columns.name}</span>
            <span role="columnheader">{texts.columns.value}</span>
            <span role="columnheader">{texts.columns.state}</span>
            <span role="columnheader">{texts.columns.lineOf}</span>
          </div>
        </div>
        <div ref={box} className={classes.box} role="rowgroup" tabIndex={0} aria-label={texts.title}>
          <div className={classes.all} style={{ height: virtualizer.getTotalSize() }} role="presentation">
            {items.map(({ index, start }) => {
              const metric = rowAt(index);
              const place = { transform: `translateY(${String(start)}px)`, height: ROW_HEIGHT };
              return metric ? (
                <MetricRow
                  key={index}
                  metric={metric}
                  line={lineOf.get(metric.id)}
                  start={start}
                  height={ROW_HEIGHT}
                  index={index}
                  isChosen={index === chosen}
                />
              ) : (
                <div key={index} role="row" aria-rowindex={index + 2} className={classes.row} style={place}>
                  <span role="cell">
                    <Skeleton height={14} width={`${String(40 + ((index * 13) % 45))}%`} />
                  </span>
                </div>
              );
            })}
          </div>
        </div>
      </div>
      {count < total && (
        <Text size="xs" className="dim">
          {texts.onlyFirst(count)}
        </Text>
      )}
    </>
  );
}

/** Ids of the rows of a group; empty while some of them are not loaded. */
function idsOf(
  group: number,
  count: number,
  rowAt: (index: number) => Schema<'MetricDto'> | undefined,
): readonly number[] {
  const ids: number[] = [];
  for (let index = group * LINES_AT_ONCE; index < Math.min(count, (group + 1) * LINES_AT_ONCE); index++) {
    const id = rowAt(index)?.id;
    if (id === undefined) return [];
    ids.push(id);
  }
  return ids;
}
