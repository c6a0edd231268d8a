import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { productVersion } from '../product-version.js';

/** The metrics of the process on /metrics. Areas add their own metrics to `prometheus`. */
@Injectable()
export class MetricsRegistry {
  readonly prometheus = new Registry();

  private readonly requests = new Histogram({
    name: 'plumbline_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its answer.',
    labelNames: ['method', 'route', 'code'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.prometheus],
  });

  constructor() {
    // Includes the delay of the event loop (nodejs_eventloop_lag_*).
    collectDefaultMetrics({ register: this.prometheus });
    new Gauge({
      name: 'plumbline_build_info',
      help: 'Always 1. The label is the version: during an upgrade, count by (version) (plumbline_build_info) shows how far it is.',
      labelNames: ['version'],
      registers: [this.prometheus],
    }).set({ version: productVersion() }, 1);
  }

  observeRequest(request: { method: string; route: string; code: number; seconds: number }): void {
    const { method, route, code, seconds } = request;
    this.requests.observe({ method, route, code }, seconds);
  }
}
