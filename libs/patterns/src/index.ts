export {
  BASELINE_SLOTS,
  contextStep,
  contextWindow,
  cutShape,
  LEAD_SLOTS,
  MAX_PART_SLOTS,
  mostExtension,
  prepare,
  type PreparedShape,
  SETTLE_SLOTS,
  type Shape,
  TAIL_SLOTS,
} from './shape.js';
export {
  type Candidate,
  likeness,
  type Likeness,
  type LikenessOptions,
  type Occurrence,
  occurrences,
  spreadOf,
  type Stage,
  STAGES,
} from './likeness.js';
export { AS_IT_WAS, type Habit, habitOf, habitualSlots } from './habit.js';
export { coarser, endOf, part, type Stretch, stretchOf } from './stretch.js';
export { isTimely, START_TOLERANCE, startWindow, type StartWindow, timeOfDay } from './timing.js';
export { correlationOf, type Nearest, nearestWindow, zDistance } from './z-distance.js';
export { type Opened, type ShapeHistory, shapeHistoryAlone, shapeHistoryIn } from './shape-history.js';
