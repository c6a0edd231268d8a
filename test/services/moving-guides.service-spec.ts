import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Product, startProduct } from '../support/product.js';
import { commandsOf, paste } from './guide-commands.js';

/** Each guide, with a text in the last answer of each of its blocks. */
const GUIDES: [name: string, ...answers: string[]][] = [
  ['azure-anomaly-detector', '"suggestedWindow"', '"yhat"'],
  ['metrics-advisor', 'revenue{product=', '"incidents"'],
  ['lookout-for-metrics', 'shop_revenue{category=', '"incidents"'],
  ['skyline', '"stats.web-1.load"', '"exclusion"'],
  ['grafana-ml', 'http_requests{job=', '"anomalies"'],
  ['vmanomaly', 'node_load{instance=', '"anomalies"'],
];

/** Runs every command of the guides for users of other products in a shell. */
describe('the guides for moving from other products', () => {
  let product: Product;
  let env: NodeJS.ProcessEnv;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plumbline-moving-'));
    product = await startProduct({ PLUMBLINE_DEMO: 'off' });
    env = { ...process.env, URL: product.url, TOKEN: await product.createToken(['read', 'write', 'ingest']) };
  }, 120_000);
  afterAll(async () => {
    await product.dispose();
    await rm(folder, { recursive: true, force: true });
  }, 120_000);

  it.each(GUIDES)('moving-from-%s: each command succeeds with the expected answer', async (name, ...answers) => {
    const blocks = commandsOf(`moving-from-${name}`);
    expect(blocks).toHaveLength(answers.length);
    for (const [place, commands] of blocks.entries()) {
      const { stdout, statuses } = await paste(commands, { env, cwd: folder });
      const refused = statuses.filter((status) => !status.startsWith('2'));
      expect({ commands, stdout, refused }).toEqual({ commands, stdout, refused: [] });
      expect(statuses).toHaveLength(commands.match(/^ *curl /gm)!.length);
      expect(stdout.trimEnd().split('\n').at(-2)).toContain(answers[place]);
    }
  });

  it('moving-from-azure-anomaly-detector: the odd point of the example is found', async () => {
    const [calls] = commandsOf('moving-from-azure-anomaly-detector');
    const { stdout } = await paste(calls!, { env, cwd: folder });
    const { isAnomaly, isPositiveAnomaly } = JSON.parse(stdout.split('\n')[0]!) as Record<string, boolean[]>;
    for (const flags of [isAnomaly, isPositiveAnomaly]) {
      expect(flags!.flatMap((flag, row) => (flag ? [row] : []))).toEqual([30]);
    }
  });
});
