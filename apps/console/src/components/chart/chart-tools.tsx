import { Button, Group, useComputedColorScheme } from '@mantine/core';
import { PALETTES } from '#libs/charts/browser';
import { pngOf } from './chart-canvas';
import { type ChartContent, chartOf } from './chart-definition';
import { type MetricChartProps } from './chart-props';
import { chartRows, fileName, rowsAsCsv } from './chart-rows';
import { saveFile } from './save-file';
import { texts } from './chart.texts';
import classes from './chart.module.css';

const PNG_SIZE = { width: 1200, height: 480 };

interface ToolsProps extends MetricChartProps {
  content: ChartContent;
  isTable: boolean;
  onTable: (isTable: boolean) => void;
}

/** The legend, and other controls of the chart. */
export function ChartTools({ content, isTable, onTable, ...props }: ToolsProps) {
  const theme = useComputedColorScheme('light');
  const savePng = async (): Promise<void> => {
    const chart = chartOf({ ...content, title: props.title, hasHeader: true }, { ...props.window, ...PNG_SIZE, theme });
    const picture = await pngOf(chart);
    if (picture) saveFile(picture, fileName(props.series.name, 'png'));
  };
  const saveCsv = (): void => {
    const rows = chartRows(props.series, props.expected, props.window);
    saveFile(new Blob([rowsAsCsv(rows)], { type: 'text/csv' }), fileName(props.series.name, 'csv'));
  };
  return (
    <Group justify="space-between" gap="xs" wrap="nowrap" className={classes.tools}>
      <Legend {...props} theme={theme} />
      <Group gap={4} wrap="nowrap" className="no-print">
        <Button
          variant="subtle"
          color="gray"
          size="compact-xs"
          aria-pressed={isTable}
          onClick={() => onTable(!isTable)}
        >
          {isTable ? texts.chart : texts.table}
        </Button>
        <Button
          variant="subtle"
          color="gray"
          size="compact-xs"
          aria-label={texts.pngLabel}
          title={texts.pngLabel}
          onClick={() => void savePng()}
        >
          {texts.png}
        </Button>
        <Button
          variant="subtle"
          color="gray"
          size="compact-xs"
          aria-label={texts.csvLabel}
          title={texts.csvLabel}
          onClick={saveCsv}
        >
          {texts.csv}
        </Button>
      </Group>
    </Group>
  );
}

function Legend({ expected, others = [], zone, theme }: MetricChartProps & { theme: 'light' | 'dark' }) {
  const palette = PALETTES[theme];
  return (
    <ul className={classes.legend}>
      <li>
        <Line color={palette.line} />
        {texts.value}
      </li>
      {expected && expected.timestamps.length > 0 && (
        <li>
          <svg width="16" height="10" aria-hidden="true">
            <rect y="1" width="16" height="8" fill={palette.band} />
          </svg>
          {texts.expectedRange}
        </li>
      )}
      {others.map(({ name }, i) => (
        <li key={name}>
          <Line color={palette.faint} isDashed={i > 0} />
          {name}
        </li>
      ))}
      <li>{zone}</li>
    </ul>
  );
}

function Line({ color, isDashed = false }: { color: string; isDashed?: boolean }) {
  return (
    <svg width="16" height="10" aria-hidden="true">
      <path d="M0 5H16" stroke={color} strokeWidth="2" strokeDasharray={isDashed ? '4 3' : undefined} />
    </svg>
  );
}
