import { runCli } from '../cli.js';
import { recordingTerminal } from '../testing/recording-terminal.js';

async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const { terminal, written } = recordingTerminal();
  return { code: await runCli(['bench', 'noise', ...args], terminal), ...written };
}

describe('plumbline bench noise', () => {
  it('prints noise and trouble found for each method, and with --kinds a line per kind', async () => {
    const { code, out } = await run('--seeds', '1', '--models', 'ewma', '--kinds');
    expect(code).toBe(0);
    expect(out).toMatch(/│ ewma +│ +1 │ +[\d.]+ │ +[\d.]+ % │ +\d+ │/);
    expect(out).toMatch(/│ nightly_job +│ +[\d.]+, \d+\/\d+ │/);
    expect(out).toMatch(/│ rows_of_a_day +│ +[\d.]+ │/);
    expect(out).toMatch(/│ flat_row +│ +[\d.]+, \d+\/1 \([\d–]+\) │/);
  }, 60_000);

  it('prints the figures as JSON', async () => {
    const { out } = await run('--seeds', '1', '--models', 'ewma', '--step', '5', '--json');
    type Method = { method: string; by_kind: object[]; by_trouble: object[]; special_kinds: object[] };
    const { methods, step_seconds } = JSON.parse(out) as { methods: Method[]; step_seconds: number };
    expect(step_seconds).toBe(300);
    expect(methods).toHaveLength(1);
    expect(methods[0]).toMatchObject({ method: 'ewma', seeds: 1 });
    expect(methods[0]!.by_kind).toHaveLength(19);
    expect(methods[0]!.by_trouble).toHaveLength(6);
    expect(methods[0]!.special_kinds).toHaveLength(9);
  }, 60_000);

  it('rejects a step of more than an hour', async () => {
    const { code, err } = await run('--step', '90');
    expect(code).toBe(2);
    expect(err).toContain("option '--step <minutes>' argument '90' is invalid");
  });

  it('lists the available methods when a method is unknown', async () => {
    const { code, err } = await run('--models', 'crystal_ball');
    expect(code).toBe(2);
    expect(err).toContain('there is no "crystal_ball"; there are plumbline, ewma');
  });
});
