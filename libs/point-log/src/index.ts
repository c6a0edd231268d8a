export * from './point-log.js';
