import { Text } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef } from 'react';
import { rateUnit as perSecond } from '#libs/wording';
import { valueText } from '../../lib/numbers';
import { fullTimeText } from '../../lib/time';
import { type MetricChartProps } from './chart-props';
import { chartRows } from './chart-rows';
import { texts } from './chart.texts';
import classes from './chart.module.css';

const ROW_HEIGHT = 28;

type TableProps = Pick<
  MetricChartProps,
  'title' | 'unit' | 'isRate' | 'zone' | 'series' | 'expected' | 'window' | 'height'
>;

/** The points of the window, newest first: for readers who want the numbers or do not see the chart. */
export function ChartTable({ title, unit, isRate, zone, series, expected, window, height }: TableProps) {
  const box = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => chartRows(series, expected, window), [series, expected, window]);
  // eslint-disable-next-line react-hooks/incompatible-library -- what it returns is used here only
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
  });
  const shown = virtualizer.getVirtualItems();
  const above = shown[0]?.start ?? 0;
  const below = virtualizer.getTotalSize() - (shown.at(-1)?.end ?? 0);
  const unitText = rateUnit(unit, isRate);
  if (rows.length === 0) {
    return (
      <Text size="sm" className="dim" style={{ height }}>
        {texts.noPoints}
      </Text>
    );
  }
  return (
    // A scrollable region must be reachable by keyboard.
    <div
      ref={box}
      className={classes.tableBox}
      style={{ height }}
      tabIndex={0}
      role="region"
      aria-label={texts.tableLabel(title)}
    >
      <table className={classes.table} aria-rowcount={rows.length + 1}>
        <thead>
          <tr>
            <th scope="col">{texts.time(zone)}</th>
            <th scope="col">{unitText === '' ? texts.value : `${texts.value} (${unitText})`}</th>
            <th scope="col">{texts.expected}</th>
            <th scope="col">{texts.lower}</th>
            <th scope="col">{texts.upper}</th>
          </tr>
        </thead>
        <tbody>
          {above > 0 && <tr aria-hidden="true" style={{ height: above }} />}
          {shown.map(({ index }) => {
            const row = rows[index]!;
            return (
              <tr key={row.timestamp} aria-rowindex={index + 2} style={{ height: ROW_HEIGHT }}>
                <td>{fullTimeText(row.timestamp, zone)}</td>
                <td>{valueText(row.value)}</td>
                <td>{valueText(row.yhat)}</td>
                <td>{valueText(row.lower)}</td>
                <td>{valueText(row.upper)}</td>
              </tr>
            );
          })}
          {below > 0 && <tr aria-hidden="true" style={{ height: below }} />}
        </tbody>
      </table>
    </div>
  );
}

/** The unit of the drawn values. */
export function rateUnit(unit: string, isRate = false): string {
  return isRate ? perSecond(unit) : unit;
}
