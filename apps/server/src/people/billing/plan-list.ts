import { type OfferedPlan, PLAN_INTERVALS, type PlanInterval } from './plan.types.js';

const MAX_PLANS = 50;
/** The provider refuses larger amounts too. */
const MAX_AMOUNT = 999_999_999_999;
const MAX_METRICS = 2_147_483_647;

type Check = (value: unknown) => string | undefined;

const text =
  (longest: number, pattern: RegExp, form: string): Check =>
  (value) =>
    typeof value === 'string' && value.length <= longest && pattern.test(value) ? undefined : `must be ${form}`;

const whole =
  (min: number, max: number): Check =>
  (value) =>
    Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max
      ? undefined
      : `must be a whole number ${String(min)}..${String(max)}`;

const MEMBERS: Readonly<Record<string, Check>> = {
  id: text(50, /^[a-z0-9][a-z0-9_-]*$/, 'up to 50 of a-z, 0-9, _ and -'),
  name: text(100, /^(?=.*\S)\P{Cc}*$/u, 'a text of 1 to 100 characters'),
  price: text(255, /^[\w-]+$/, "the id of one of the provider's prices"),
  metric_limit: whole(1, MAX_METRICS),
  amount: whole(0, MAX_AMOUNT),
  currency: text(3, /^[A-Za-z]{3}$/, 'the three letters of a currency'),
  interval: (value) =>
    PLAN_INTERVALS.includes(value as PlanInterval) ? undefined : `must be one of ${PLAN_INTERVALS.join(', ')}`,
};

/** Returns the plans of a JSON text in its order, or the problem of the text. */
export function readPlanList(json: string): { plans: readonly OfferedPlan[] } | { problem: string } {
  let list: unknown;
  try {
    list = JSON.parse(json);
  } catch {
    return { problem: 'must be a JSON list of plans' };
  }
  if (!Array.isArray(list)) return { problem: 'must be a JSON list of plans' };
  if (list.length === 0 || list.length > MAX_PLANS) return { problem: `must have 1 to ${String(MAX_PLANS)} plans` };
  const problems = list.flatMap((entry, index) =>
    problemsOf(entry).map((says) => `plan ${String(index + 1)}: ${says}`),
  );
  if (problems.length > 0) return { problem: problems.join('; ') };
  const plans = (list as PlanEntry[]).map(toPlan);
  for (const member of ['id', 'price'] as const) {
    const values = plans.map((plan) => plan[member]);
    const twice = values.find((value, index) => values.indexOf(value) !== index);
    if (twice !== undefined) return { problem: `two plans have the ${member} ${twice}` };
  }
  return { plans };
}

interface PlanEntry {
  id: string;
  name: string;
  price: string;
  metric_limit: number;
  amount: number;
  currency: string;
  interval: PlanInterval;
}

function problemsOf(entry: unknown): string[] {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return ['must be an object'];
  const members = entry as Record<string, unknown>;
  const unknown = Object.keys(members).filter((name) => !Object.hasOwn(MEMBERS, name));
  return [
    ...unknown.map((name) => `${name} is not a member of a plan`),
    ...Object.entries(MEMBERS).flatMap(([name, check]) => {
      if (!Object.hasOwn(members, name)) return [`${name} is missing`];
      const says = check(members[name]);
      return says === undefined ? [] : [`${name} ${says}`];
    }),
  ];
}

function toPlan({ metric_limit: metricLimit, ...entry }: PlanEntry): OfferedPlan {
  return { ...entry, metricLimit, currency: entry.currency.toUpperCase() };
}
