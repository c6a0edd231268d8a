export * from './content.js';
export * from './watcher-rule.js';
