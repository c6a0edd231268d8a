export * from './series-store.js';
export { PostgresSeriesStore, type PostgresSeriesStoreOptions } from './postgres/postgres-series-store.js';
