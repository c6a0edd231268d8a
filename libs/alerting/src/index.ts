export { composeAdmin } from './compose-admin.js';
export * from './compose-facts.js';
export { composeIncident } from './compose-incident.js';
export { composeSummary } from './compose-summary.js';
export { composeTest } from './compose-test.js';
export { composeThreshold, ruleText, THRESHOLD_SEVERITY } from './compose-threshold.js';
export * from './content.js';
export { clockText, lastingText, momentText, rangeText, shortened, valueText } from './value-text.js';
export * from './watcher-rule.js';
