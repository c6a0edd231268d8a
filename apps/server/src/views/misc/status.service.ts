import { Injectable } from '@nestjs/common';
import { Permission } from '#libs/contracts';
import { type Caller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { productVersion } from '../../common/product-version.js';
import {
  type ComponentName,
  type ComponentReport,
  ComponentReports,
} from '../../common/telemetry/component-reports.js';
import { type ServiceState, type StatusDto } from './dto/status.dto.js';

/** Without this component no data can be accepted or read. */
const VITAL: ReadonlySet<ComponentName> = new Set(['database']);

@Injectable()
export class StatusService {
  private readonly version = productVersion();

  constructor(
    private readonly reports: ComponentReports,
    private readonly clock: Clock,
  ) {}

  /** Health of the service; only administrators see its components. */
  async status(caller: Caller): Promise<StatusDto> {
    const reports = await this.reports.collect();
    return {
      state: stateOf(reports),
      version: this.version,
      uptime_seconds: Math.floor(process.uptime()),
      server_timestamp: Math.floor(this.clock.now()),
      components: isAdmin(caller)
        ? [...reports].map(([name, { ok, ageSeconds, message }]) => ({ name, ok, age_seconds: ageSeconds, message }))
        : [],
    };
  }
}

function isAdmin(caller: Caller): boolean {
  return caller.kind !== 'anonymous' && (caller.permissions & Permission.Admin) !== 0;
}

function stateOf(reports: ReadonlyMap<ComponentName, ComponentReport>): ServiceState {
  const failing = [...reports].filter(([, { ok }]) => !ok).map(([name]) => name);
  if (failing.some((name) => VITAL.has(name))) return 'down';
  return failing.length > 0 ? 'degraded' : 'ok';
}
