import { Injectable } from '@nestjs/common';

/** Creates the report; its result is sent as JSON. */
export type ReportSource = () => Promise<object>;

/** The answer of `/summary` of the management port: a higher area provides it. Concurrent callers share one answer. */
@Injectable()
export class InstallationReport {
  private source: ReportSource | undefined;
  private running: Promise<object> | undefined;

  provide(source: ReportSource): void {
    this.source = source;
  }

  /** Null if nothing provides it. */
  read(): Promise<object> | null {
    if (this.source === undefined) return null;
    this.running ??= this.source().finally(() => (this.running = undefined));
    return this.running;
  }
}
