export { demoSeries, seriesColumns } from './demo-series.js';
export {
  DEMO_THEME_NAMES,
  type DemoOptions,
  type DemoThemeName,
  type LabelledIncident,
  type SyntheticSeries,
  TROUBLE_KINDS,
  type TroubleKind,
} from './types.js';
