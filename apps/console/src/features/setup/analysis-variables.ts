import { type Schema } from '../../lib/api';
import { countText } from '../../lib/numbers';
import { texts } from './organisation.texts';

export type Variables = Schema<'AnalysisVariablesDto'>;
export type VariableName = keyof Variables;

const DAY = 86_400;

/** Variables in the order of the form, each with the unit that people use. */
export const VARIABLES: readonly { name: VariableName; unit: 's' | 'd' | 'n'; options?: readonly string[] }[] = [
  { name: 'retention_1_resolution_seconds', unit: 's', options: ['10', '20', '30', '60', '300'] },
  { name: 'retention_1_period_seconds', unit: 'd' },
  { name: 'retention_2_resolution_seconds', unit: 's' },
  { name: 'retention_2_period_seconds', unit: 'd' },
  { name: 'default_data_frequency_seconds', unit: 's' },
  { name: 'default_analysis_period_1_seconds', unit: 'd' },
  { name: 'default_analysis_period_2_seconds', unit: 'd' },
  { name: 'long_term_pattern_length_seconds', unit: 'd' },
  { name: 'metric_limit', unit: 'n' },
];

const unitOf = (name: VariableName): 's' | 'd' | 'n' => VARIABLES.find((one) => one.name === name)!.unit;

/** A value in the format of its field; empty if there is none. */
export function textOf(name: VariableName, value: number | null): string {
  if (value === null) return '';
  return unitOf(name) === 'd' ? String(Number((value / DAY).toFixed(4))) : String(value);
}

/** The reverse, in whole seconds; undefined if it is not a number. */
export function valueOf(name: VariableName, text: string): number | null | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return name === 'metric_limit' ? null : undefined;
  if (!/^\d{1,10}(?:\.\d{1,10})?$/.test(trimmed)) return undefined;
  const value = unitOf(name) === 'd' ? Math.round(Number(trimmed) * DAY) : Number(trimmed);
  return Number.isInteger(value) ? value : undefined;
}

/** `7 days`, `60 seconds`, `none`. */
export function shownText(name: VariableName, value: number | null): string {
  if (value === null) return texts.none;
  const unit = unitOf(name);
  return `${unit === 'n' ? countText(value) : textOf(name, value)} ${texts.units[unit]}`;
}

/** The cost of a change; `isLoss`: it cannot be undone. */
export interface Cost {
  name: VariableName;
  text: string;
  isLoss: boolean;
}

type CostName = keyof typeof texts.cost;

const LOSSES: readonly CostName[] = ['slot', 'slotsShorter', 'rollUpsShorter'];

function costOf(name: VariableName, before: number | null, after: number | null): CostName {
  const isMore = (after ?? Infinity) > (before ?? Infinity);
  switch (name) {
    case 'retention_1_resolution_seconds':
      return 'slot';
    case 'retention_1_period_seconds':
      return isMore ? 'slotsLonger' : 'slotsShorter';
    case 'retention_2_resolution_seconds':
      return 'rollUp';
    case 'retention_2_period_seconds':
      return isMore ? 'rollUpsLonger' : 'rollUpsShorter';
    case 'default_data_frequency_seconds':
      return 'frequency';
    case 'long_term_pattern_length_seconds':
      return 'longPattern';
    case 'metric_limit':
      return isMore ? 'limitHigher' : 'limitLower';
    default:
      return 'pattern';
  }
}

/** The changed values, as sent. */
export function changesOf(before: Variables, after: Partial<Variables>): Partial<Variables> {
  const changed = Object.entries(after).filter(([name, value]) => before[name as VariableName] !== value);
  return Object.fromEntries(changed);
}

/** The costs of the changes, in the order of the form. */
export function costsOf(before: Variables, changes: Partial<Variables>): Cost[] {
  return VARIABLES.flatMap(({ name }) => {
    const after = changes[name];
    if (after === undefined) return [];
    const cost = costOf(name, before[name], after);
    const change = texts.fromTo(texts.fields[name], shownText(name, before[name]), shownText(name, after));
    return [{ name, text: `${change} ${texts.cost[cost]}`, isLoss: LOSSES.includes(cost) }];
  });
}
