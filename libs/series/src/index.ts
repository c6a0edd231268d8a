export * from './series-store.js';
export * from './series-transfer.js';
export { type MaintenancePolicy } from './postgres/maintenance/series-maintenance.js';
export { PostgresSeriesStore, type PostgresSeriesStoreOptions } from './postgres/postgres-series-store.js';
export { type MovePolicy, type NamesOfSeries } from './victoria-metrics/move-points.js';
export { type SeriesName } from './victoria-metrics/series-name.js';
export { addressProblem, type VictoriaMetricsAddress } from './victoria-metrics/vm-address.js';
export {
  VictoriaMetricsSeriesStore,
  type VictoriaMetricsSeriesStoreOptions,
} from './victoria-metrics/victoria-metrics-series-store.js';
export { VictoriaMetricsClient, VictoriaMetricsError } from './victoria-metrics/vm-client.js';
export { type PointColumns } from './points/point-columns.js';
export { type RollupSlots } from './rollup/rollup-slots.js';
