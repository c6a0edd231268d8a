export * from './derived-series.js';
export * from './envelope.js';
export * from './error-codes.js';
export * from './permissions.js';
export * from './text.js';
export * from './vocabulary.js';
