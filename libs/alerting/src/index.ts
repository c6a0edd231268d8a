export * from './content.js';
export * from './watcher-rule.js';
export * from './threshold.js';
