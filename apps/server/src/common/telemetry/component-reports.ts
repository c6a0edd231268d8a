import { Injectable } from '@nestjs/common';
import { ReadinessRegistry } from './readiness.js';
import { messageOf } from '../errors/message-of.js';

/** The parts that GET /status speaks of, in this order. */
export const COMPONENTS = ['database', 'queue', 'ingest', 'analysis', 'notifications', 'mail'] as const;
export type ComponentName = (typeof COMPONENTS)[number];

export interface ComponentReport {
  ok: boolean;
  /** How far the part is behind, or how long ago it last worked; null if neither applies. */
  ageSeconds: number | null;
  /** For operators; empty if there is nothing to report. */
  message: string;
}

export type ComponentReporter = () => ComponentReport | Promise<ComponentReport>;

/**
 * The state of the parts of the service. An area registers the part it runs; a part that is not registered is reported
 * by the readiness check of the same name; without such a check there is nothing to report.
 */
@Injectable()
export class ComponentReports {
  private readonly reporters = new Map<ComponentName, ComponentReporter>();

  constructor(private readonly readiness: ReadinessRegistry) {}

  register(name: ComponentName, reporter: ComponentReporter): void {
    if (this.reporters.has(name)) throw new Error(`The component ${name} is registered twice`);
    this.reporters.set(name, reporter);
  }

  async collect(): Promise<Map<ComponentName, ComponentReport>> {
    const checks = new Map((await this.readiness.run()).map((result) => [result.name, result]));
    const reports = COMPONENTS.map(async (name): Promise<[ComponentName, ComponentReport]> => {
      const reporter = this.reporters.get(name);
      if (reporter !== undefined) return [name, await runReporter(reporter)];
      const check = checks.get(name);
      if (check !== undefined) return [name, { ok: check.ok, ageSeconds: null, message: check.message ?? '' }];
      return [name, { ok: true, ageSeconds: null, message: 'nothing to report' }];
    });
    return new Map(await Promise.all(reports));
  }
}

/** A reporter that throws reports its failure. */
async function runReporter(reporter: ComponentReporter): Promise<ComponentReport> {
  try {
    return await reporter();
  } catch (error) {
    return { ok: false, ageSeconds: null, message: messageOf(error) };
  }
}
