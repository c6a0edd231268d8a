import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { ServerConfig } from '../config/server.config.js';
import { InstallationReport } from './installation-report.js';
import { ReadinessRegistry } from './readiness.js';
import { MetricsRegistry } from './metrics.js';

/**
 * The management port: GET /livez, /readyz and /metrics for probes and Prometheus, /summary for `plumbline status`. It
 * has a separate server, so that it answers while the API starts, is full, or stops.
 */
@Injectable()
export class ManagementServer implements OnApplicationShutdown {
  private server: Server | undefined;

  constructor(
    private readonly config: ServerConfig,
    private readonly readiness: ReadinessRegistry,
    private readonly metrics: MetricsRegistry,
    private readonly report: InstallationReport,
  ) {}

  /** Starts to listen, and serves the port. */
  async listen(): Promise<number> {
    const server = createServer((request, response) => void this.answer(request, response));
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.config.managementPort, this.config.managementHost, resolve);
    });
    this.server = server;
    return (server.address() as AddressInfo).port;
  }

  async onApplicationShutdown(): Promise<void> {
    const { server } = this;
    if (!server) return;
    this.server = undefined;
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('X-Content-Type-Options', 'nosniff');
    try {
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        response.setHeader('Allow', 'GET, HEAD');
        send(response, 405, 'text/plain', 'method not allowed\n');
        return;
      }
      switch (new URL(request.url ?? '/', 'http://localhost').pathname) {
        case '/livez':
          send(response, 200, 'text/plain', 'ok\n');
          return;
        case '/readyz': {
          const checks = await this.readiness.run();
          const isReady = checks.every((check) => check.ok);
          send(response, isReady ? 200 : 503, 'application/json', JSON.stringify(checks));
          return;
        }
        case '/metrics':
          send(response, 200, this.metrics.prometheus.contentType, await this.metrics.prometheus.metrics());
          return;
        case '/summary': {
          const report = await this.report.read();
          if (report === null) send(response, 404, 'text/plain', 'not found\n');
          else send(response, 200, 'application/json', JSON.stringify(report));
          return;
        }
        default:
          send(response, 404, 'text/plain', 'not found\n');
      }
    } catch (error) {
      send(response, 500, 'text/plain', `${error instanceof Error ? error.message : 'failed'}\n`);
    }
  }
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'Content-Type': type.includes('charset') ? type : `${type}; charset=utf-8` });
  response.end(body);
}
