export {
  anomalyText,
  commonEventText,
  commonKind,
  type DescribedAnomaly,
  type Reader,
  furthestValue,
  observedText,
  spanText,
  expectedText,
} from './anomaly-text.js';
export { counted, countText, dateText, dayText, intervalText, lastingText, timeFormat, timeText } from './moment.js';
export { namePieces } from './name-breaks.js';
export {
  beyondText,
  diskText,
  numberText,
  powerOfTen,
  rangeText,
  rateUnit,
  shownUnit,
  unitName,
  valueText,
  withMinus,
} from './quantity.js';
export { reasonText, type ReasonContext, writtenReasons } from './reason.js';
