import { MetricsRegistry } from '../telemetry/metrics.js';
import { FairQueueRegistry } from './fair-queue-registry.js';

describe('the metrics of fair queues', () => {
  const never = () => new Promise<never>(() => undefined);

  it('name the ten organisations that use most, and sum up all others', async () => {
    const metrics = new MetricsRegistry();
    const turns = new FairQueueRegistry(metrics).open('pictures', { slots: 2, waiting: 100, waitingPerParty: 5 });
    for (let i = 0; i < 10; i++) void turns.run('org:7', never).catch(() => undefined);
    for (let org = 100; org < 140; org++) void turns.run(`org:${String(org)}`, never);
    void turns.run('address:192.0.2.1', never);
    const text = await metrics.prometheus.metrics();
    expect(text).toContain('plumbline_turns_org_running{queue="pictures",org="7"} 2');
    expect(text).toContain('plumbline_turns_org_running{queue="pictures",org="other"} 0');
    expect(text).toContain('plumbline_turns_org_waiting{queue="pictures",org="7"} 5');
    expect(text).toContain('plumbline_turns_org_refused_total{queue="pictures",org="7"} 3');
    expect(text).not.toContain('192.0.2.1');
    const lines = text.split('\n').filter((line) => line.startsWith('plumbline_turns_org_waiting{'));
    expect(lines).toHaveLength(11);
    const waiting = lines.reduce((sum, line) => sum + Number(line.split(' ')[1]), 0);
    expect(waiting).toBe(turns.waiting);
  });
});
