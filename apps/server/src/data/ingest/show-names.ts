import { Counter, Gauge } from 'prom-client';
import { type MetricsRegistry } from '../../common/telemetry/metrics.js';
import { type NameCaches } from './name-caches.js';

/** What the names in memory take, and whether that is enough, on the management port. */
export function showNames(names: NameCaches, registry: MetricsRegistry): void {
  const registers = [registry.prometheus];
  new Gauge({
    name: 'plumbline_ingest_names_bytes',
    help: 'Memory that names as senders spell them take, estimated',
    registers,
    collect() {
      this.set(names.bytes);
    },
  });
  new Gauge({
    name: 'plumbline_ingest_names_max_bytes',
    help: 'Bound of plumbline_ingest_names_bytes (PLUMBLINE_INGEST_NAMES_BYTES)',
    registers,
    collect() {
      this.set(names.maxBytes);
    },
  });
  let shown = 0;
  new Counter({
    name: 'plumbline_ingest_name_misses_total',
    help: 'Names that were parsed because they were not in memory: new ones, and ones that were forgotten for want of room',
    registers,
    collect() {
      const { misses } = names;
      this.inc(misses - shown);
      shown = misses;
    },
  });
}
