import { ConfigError, loadConfig } from '../../common/config/load-config.js';
import { BillingConfig } from './billing.config.js';

const TEAM = {
  id: 'team',
  name: 'Team',
  price: 'price_1',
  metric_limit: 5000,
  amount: 4900,
  currency: 'eur',
  interval: 'month',
};
const KEYS = { STRIPE_SECRET_KEY: 'sk_test_0123456789', STRIPE_WEBHOOK_SECRET: 'whsec_0123456789' };

const load = (env: Record<string, string>) => loadConfig([BillingConfig], env).get(BillingConfig);
const problemsOf = (env: Record<string, string>): string[] => {
  try {
    load(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map((problem) => `${problem.env}: ${problem.message}`);
    throw error;
  }
  return [];
};

describe('the billing settings', () => {
  it('disable billing by default', () => {
    expect(load({})).toMatchObject({ isConfigured: false, plans: [] });
  });

  it('enable billing with key, webhook secret and plans', () => {
    expect(load({ ...KEYS, PLUMBLINE_PLANS: JSON.stringify([TEAM]) })).toMatchObject({
      isConfigured: true,
      plans: [
        {
          id: 'team',
          name: 'Team',
          price: 'price_1',
          metricLimit: 5000,
          amount: 4900,
          currency: 'EUR',
          interval: 'month',
        },
      ],
    });
  });

  it('are rejected when one of the three is missing', () => {
    const needs = 'is missing: billing needs all of STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, PLUMBLINE_PLANS';
    expect(problemsOf(KEYS)).toEqual([`PLUMBLINE_PLANS: ${needs}`]);
    expect(problemsOf({ PLUMBLINE_PLANS: JSON.stringify([TEAM]) })).toEqual([
      `STRIPE_SECRET_KEY: ${needs}`,
      `STRIPE_WEBHOOK_SECRET: ${needs}`,
    ]);
  });

  const f = (name: string, plans: unknown, want: string) => {
    it(`reject ${name}`, () => {
      const text = typeof plans === 'string' ? plans : JSON.stringify(plans);
      expect(problemsOf({ ...KEYS, PLUMBLINE_PLANS: text })).toEqual([`PLUMBLINE_PLANS: ${want}`]);
    });
  };
  f('a list that is not JSON', '[{', 'must be a JSON list of plans');
  f('a plan outside a list', TEAM, 'must be a JSON list of plans');
  f('an empty list', [], 'must have 1 to 50 plans');
  f('a plan that is not an object', ['team'], 'plan 1: must be an object');
  f('a missing member', [{ ...TEAM, price: undefined }], 'plan 1: price is missing');
  f('an unknown member', [{ ...TEAM, prize: 1 }], 'plan 1: prize is not a member of a plan');
  f('two plans with one id', [TEAM, { ...TEAM, price: 'price_2' }], 'two plans have the id team');
  f('two plans with one price', [TEAM, { ...TEAM, id: 'big' }], 'two plans have the price price_1');
  f(
    'several wrong members',
    [TEAM, { id: 'A', name: ' ', price: 'p 1', metric_limit: 0, amount: 1.5, currency: '€', interval: 'decade' }],
    [
      'plan 2: id must be up to 50 of a-z, 0-9, _ and -',
      'plan 2: name must be a text of 1 to 100 characters',
      "plan 2: price must be the id of one of the provider's prices",
      'plan 2: metric_limit must be a whole number 1..2147483647',
      'plan 2: amount must be a whole number 0..999999999999',
      'plan 2: currency must be the three letters of a currency',
      'plan 2: interval must be one of day, week, month, year',
    ].join('; '),
  );

  it('reject an address of the provider with a path', () => {
    expect(problemsOf({ STRIPE_API_BASE: 'http://localhost:12111/v1' })).toEqual([
      'STRIPE_API_BASE: must be an origin without a path',
    ]);
  });

  it('do not reveal a secret', () => {
    expect(problemsOf({ STRIPE_SECRET_KEY: 'a b' })[0]).toBe(
      "STRIPE_SECRET_KEY: the value must be the provider's secret or restricted API key",
    );
  });
});
