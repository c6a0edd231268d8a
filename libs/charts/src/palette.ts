import { type SeverityLabel } from '#libs/contracts';
import { type ChartAnomaly, type ChartTheme, type SeriesTone } from './metric-chart.js';

/** Colours of one theme. Orange and green also differ in lightness, for readers who do not see the hues. */
export interface Palette {
  background: string;
  title: string;
  text: string;
  grid: string;
  axis: string;
  line: string;
  band: string;
  expected: string;
  anomaly: string;
  anomalyText: string;
  anomalyArea: string;
  /** For lines. */
  match: string;
  /** For columns and their edges. */
  matchMark: string;
  matchText: string;
  alert: string;
  other: string;
  faint: string;
  now: string;
  /** For anomalies by severity: a contrast of at least 3 to 1 to the background, and 4.5 to 1 for texts. */
  severity: Record<SeverityLabel, { mark: string; area: string }>;
}

/** The colours of an anomaly: those of its severity if it is known. */
export function anomalyColors(
  palette: Palette,
  { severity }: Pick<ChartAnomaly, 'severity'>,
): { mark: string; area: string; text: string } {
  if (severity === undefined) return { mark: palette.anomaly, area: palette.anomalyArea, text: palette.anomalyText };
  return { ...palette.severity[severity], text: palette.severity[severity].mark };
}

/** The colour of a line. */
export function toneColor(palette: Palette, tone: SeriesTone = 'line'): string {
  return palette[tone];
}

export const PALETTES: Record<ChartTheme, Palette> = {
  light: {
    background: '#ffffff',
    title: '#1b2430',
    text: '#5b6675',
    grid: '#edf0f4',
    axis: '#c3cad4',
    line: '#2563c9',
    band: '#d9e5f8',
    expected: '#93b3e6',
    anomaly: '#f08c00',
    anomalyText: '#b45f00',
    anomalyArea: 'rgba(255,169,40,0.20)',
    match: '#2b9a4b',
    matchMark: '#2b9a4b',
    matchText: '#5b6675',
    alert: '#c92a2a',
    other: '#7048a8',
    faint: '#9a8fc0',
    now: '#5b6675',
    severity: {
      critical: { mark: '#c4203c', area: 'rgba(196,32,60,0.16)' },
      major: { mark: '#b45000', area: 'rgba(196,90,0,0.16)' },
      minor: { mark: '#8a6400', area: 'rgba(170,125,0,0.16)' },
      info: { mark: '#4d5d70', area: 'rgba(77,93,112,0.14)' },
    },
  },
  dark: {
    background: '#151a21',
    title: '#eef1f5',
    text: '#9aa5b4',
    grid: '#232a34',
    axis: '#465060',
    line: '#74a9ff',
    band: '#23344f',
    expected: '#49699b',
    anomaly: '#ffa033',
    anomalyText: '#ffb861',
    anomalyArea: 'rgba(255,160,51,0.20)',
    match: '#51cf66',
    matchMark: '#51cf66',
    matchText: '#9aa5b4',
    alert: '#ff7b7b',
    other: '#b79aef',
    faint: '#7d71a8',
    now: '#9aa5b4',
    severity: {
      critical: { mark: '#ff6b7f', area: 'rgba(255,107,127,0.20)' },
      major: { mark: '#ff9a48', area: 'rgba(255,154,72,0.20)' },
      minor: { mark: '#e6c44c', area: 'rgba(230,196,76,0.18)' },
      info: { mark: '#9aa5b4', area: 'rgba(154,165,180,0.16)' },
    },
  },
};
