import { type ChartTheme, type SeriesTone } from './metric-chart.js';

/** Colours of one theme. Orange and green are told apart by lightness too, for readers who do not see the hues. */
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
  match: string;
  matchText: string;
  alert: string;
  other: string;
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
    matchText: '#1f7a39',
    alert: '#c92a2a',
    other: '#7048a8',
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
    matchText: '#69db7c',
    alert: '#ff7b7b',
    other: '#b79aef',
  },
};
