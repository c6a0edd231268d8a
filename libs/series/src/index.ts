export * from './series-store.js';
