import { cpus, loadavg, platform, release, totalmem } from 'node:os';

/** Machine and time of the measurement. Call it before the first one, so that the load is that of other programs. */
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

/** The machine in words. */
export function machineLines(machine, isQuick) {
  const { date, node, v8, cpu, cores, memoryBytes, load } = machine;
  return [
    `${date}, node ${node} (V8 ${v8})`,
    `${cpu}, ${cores} cores, ${(memoryBytes / 1e9).toFixed(0)} GB, load ${load.toFixed(1)} before the first measurement`,
    ...(load > 0.5 * cores
      ? ['The machine is busy: figures by processor time mean more than those by the clock.']
      : []),
    ...(isQuick ? ['Short form: the goals are meant for the full one.'] : []),
  ];
}
