export * from './series-store.js';
export { type MaintenancePolicy } from './postgres/maintenance/series-maintenance.js';
export { PostgresSeriesStore, type PostgresSeriesStoreOptions } from './postgres/postgres-series-store.js';
