import { type ConsoleUnderTest, seriousViolations, startConsole } from '../../../../../test/support/console.js';

describe('the first steps', () => {
  let console: ConsoleUnderTest;

  beforeAll(async () => {
    console = await startConsole({ demo: false });
  }, 300_000);

  afterAll(() => console.dispose(), 120_000);

  it('create a token, and show the first point sent with it', async () => {
    const page = await console.open('/start');
    await page.getByText('Waiting for the first point…').waitFor();
    await page.getByRole('button', { name: 'Create a token' }).click();
    const token = await page.getByRole('region', { name: 'Token' }).innerText();
    const lines = await page.getByRole('region', { name: 'Configuration for curl, JSON, curl' }).innerText();
    expect(lines).toContain(`${console.product.url}/ingest/metrics`);
    expect(lines).toContain(token);
    expect(await seriousViolations(page)).toEqual([]);

    const sent = await fetch(`${console.product.url}/ingest/metrics`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Auth-Token': token },
      body: JSON.stringify({ metric: 'till.sales', value: 42 }),
    });
    expect(sent.status).toBe(204);
    await page.getByText('Receiving 1 metric.').waitFor();
  });

  it('list what a test request would store, and what it would refuse', async () => {
    const token = await console.product.createToken(['ingest']);
    const sent = await fetch(`${console.product.url}/ingest/metrics`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Auth-Token': token, 'X-Test-Only': 'true' },
      body: JSON.stringify([
        { metric: 'till.refunds', value: 7 },
        { metric: 'till.late', value: 1, timestamp: 1_000_000_000 },
      ]),
    });
    expect(sent.status).toBe(200);
    const page = await console.open('/start?step=send');
    await page.getByText('1 metric would be stored, 1 refused.').waitFor();
    await page.getByRole('row', { name: /till\.refunds.*7/ }).waitFor();
    await page.getByText('till.late: too old').waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await console.picture(page, 'start-tests');
  });

  it('show the progress of a metric', async () => {
    const page = await console.open('/start?step=learn');
    const row = page.getByRole('row', { name: /till\.sales/ });
    await row.getByRole('img', { name: /of 100$/ }).waitFor();
  });
});
