import { texts as shared } from '../components.texts';

export const texts = {
  severity: shared.severity,
  value: 'value',
  expected: 'expected',
  expectedRange: 'expected range',
  lower: 'expected from',
  upper: 'expected to',
  time: (zone: string) => `time (${zone})`,
  noValue: 'no data',
  /** The period that one value covers. */
  slot: (length: string) => `slot of ${length}`,
  anomaly: 'anomaly',
  match: 'expected',
  table: 'Table',
  chart: 'Chart',
  png: 'PNG',
  pngLabel: 'Save the picture as PNG',
  csv: 'CSV',
  csvLabel: 'Save the points as CSV',
  help: 'Drag: zoom in. Shift and drag, or scroll sideways: move. Double click: zoom out. Keys: arrows, + and −.',
  interactive: (title: string) =>
    `${title}. Arrow keys move the window, plus and minus zoom; the button Table shows the points.`,
  tableLabel: (title: string) => `Points of ${title}`,
  noPoints: 'There are no points in this window.',
} as const;
