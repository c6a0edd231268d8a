export { demoSeries, seriesColumns } from './demo-series.js';
export { demoStory, type DemoStory } from './demo-story.js';
export {
  DEMO_THEME_NAMES,
  type DemoOptions,
  type DemoThemeName,
  type LabelledIncident,
  type SyntheticSeries,
  TROUBLE_KINDS,
  type TroubleKind,
} from './types.js';
export { QUIET_KIND_NAMES, type QuietKind } from './quiet/quiet-kinds.js';
export { QUIET_START, quietSeries, type QuietSeries } from './quiet/quiet-series.js';
export { SPECIAL_KIND_NAMES, type SpecialKind, specialSeries, type SpecialSeries } from './quiet/special-kinds.js';
export { type InjectedTrouble, QUIET_TROUBLES, type QuietTrouble, withTroubles } from './quiet/visible-trouble.js';
export { type Random, seededRandom } from './seeded-random.js';
