import { useElementSize } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import { chartContent } from './chart-definition';
import { type MetricChartProps } from './chart-props';
import { ChartPicture } from './chart-picture';
import { ChartTable } from './chart-table';
import { ChartTools } from './chart-tools';

/** Draws the definition that the server also uses for its pictures, on a canvas, or shows its points as a table. */
export default function DrawnChart(props: MetricChartProps) {
  const { title, unit, isRate, zone, series, expected, others, anomalies, matches, now, window, height } = props;
  const { ref, width } = useElementSize<HTMLDivElement>();
  const [isTable, setTable] = useState(false);
  const hasTools = props.hasTools ?? props.onWindowChange !== undefined;
  const content = useMemo(
    () => chartContent({ unit, isRate, zone, series, expected, others, anomalies, matches, now }),
    [unit, isRate, zone, series, expected, others, anomalies, matches, now],
  );
  return (
    <div ref={ref}>
      {hasTools && <ChartTools {...props} content={content} isTable={isTable} onTable={setTable} />}
      {isTable ? (
        <ChartTable
          title={title}
          unit={unit}
          isRate={isRate}
          zone={zone}
          series={series}
          expected={expected}
          window={window}
          height={height}
        />
      ) : (
        <ChartPicture {...props} content={content} width={Math.round(width)} />
      )}
    </div>
  );
}
