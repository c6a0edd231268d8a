import { Injectable, type OnModuleInit } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { Gauge } from 'prom-client';
import { ServerConfig } from '../../common/config/server.config.js';
import { MetricsRegistry } from '../../common/telemetry/metrics.js';
import { ReadinessRegistry } from '../../common/telemetry/readiness.js';
import { diskSpace } from './disk-space.js';
import { InstallationCountsRepository } from './installation-counts.repository.js';

/** An unavailable database must not delay /metrics, which reports it. */
const TIMEOUT_MS = 2000;

/** Metrics that alert rules for the installation itself need and no other part provides. Computed at each scrape. */
@Injectable()
export class OperatorMetricsService implements OnModuleInit {
  constructor(
    private readonly metrics: MetricsRegistry,
    private readonly readiness: ReadinessRegistry,
    private readonly counts: InstallationCountsRepository,
    private readonly config: ServerConfig,
  ) {}

  onModuleInit(): void {
    const registers = [this.metrics.prometheus];
    const { readiness, counts } = this;
    const { dataFolder } = this.config;
    new Gauge({
      name: 'plumbline_ready',
      help: 'Checks of /readyz: 1 works, 0 does not',
      labelNames: ['check'],
      registers,
      async collect() {
        this.reset();
        for (const { name, ok } of await readiness.run()) this.set({ check: name }, ok ? 1 : 0);
      },
    });
    new Gauge({
      name: 'plumbline_disk_bytes',
      help: 'Space of the file system that holds the data folder; none where there is no such folder',
      labelNames: ['state'],
      registers,
      async collect() {
        this.reset();
        const disk = await diskSpace(dataFolder);
        if (disk === null) return;
        this.set({ state: 'free' }, disk.free);
        this.set({ state: 'size' }, disk.size);
      },
    });
    new Gauge({
      name: 'plumbline_database_connections',
      help: 'Connections of the PostgreSQL server: used by all its clients, and the most that it accepts; none while it is unavailable',
      labelNames: ['state'],
      registers,
      async collect() {
        this.reset();
        const found = await Promise.race([
          counts.connections().catch(() => null),
          sleep(TIMEOUT_MS, null, { ref: false }),
        ]);
        if (found === null) return;
        this.set({ state: 'used' }, found.used);
        this.set({ state: 'most' }, found.most);
      },
    });
  }
}
