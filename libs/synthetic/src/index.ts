export { demoSeries, seriesColumns } from './demo-series.js';
export {
  type DemoOptions,
  type LabelledIncident,
  type SyntheticSeries,
  TROUBLE_KINDS,
  type TroubleKind,
} from './types.js';
