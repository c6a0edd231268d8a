import { cpus, loadavg, platform, release, totalmem } from 'node:os';

/** Where and when the figures were taken. Asked before the first measurement: the load is that of others. */
export function describeMachine() {
  const processors = cpus();
  return {
    date: new Date().toISOString(),
    node: process.version,
    v8: process.versions.v8,
    platform: `${platform()} ${release()}`,
    cpu: processors[0]?.model ?? 'unknown',
    cores: processors.length,
    memoryBytes: totalmem(),
    load: loadavg()[0],
  };
}
