import { type Chip, foldCase } from './chips.js';
import { metricStateSql } from './metric-state-sql.js';

/** A condition with named parameters, as query builders take it. */
export interface ChipCondition {
  where: string;
  parameters: Record<string, string | number>;
}

/**
 * Chips as a condition on rows of the metric table, known as `alias`; selects the same metrics as `matchesChips`. `now`
 * in Unix seconds. No typed text becomes part of the SQL text.
 */
export function chipsToSql(chips: readonly Chip[], alias: string, now: number): ChipCondition {
  const parameters: ChipCondition['parameters'] = {};
  const conditions = chips.map((chip, index) => {
    const pattern = `chip${String(index)}`;
    parameters[pattern] = likePattern(chip);
    const holds = conditionOf(chip, index, alias, parameters, now);
    return chip.negated ? `NOT (${holds})` : `(${holds})`;
  });
  return { where: conditions.length === 0 ? 'TRUE' : conditions.join(' AND '), parameters };
}

/** Pattern of LIKE for the text of a chip; everything except `*` is literal. */
export function likePattern({ match, parts }: Chip): string {
  const pattern = parts.map((part) => part.replace(/[\\%_]/g, '\\$&')).join('%');
  return match === 'contains' ? `%${pattern}%` : pattern;
}

function conditionOf(
  { subject }: Chip,
  index: number,
  alias: string,
  parameters: ChipCondition['parameters'],
  now: number,
): string {
  const fits = `ILIKE :chip${String(index)}`;
  if (subject.on === 'name') return `${alias}.name ${fits}`;
  if (subject.on === 'label') {
    const key = `chip${String(index)}Key`;
    parameters[key] = foldCase(subject.key);
    return `EXISTS (SELECT FROM jsonb_each_text(${alias}.labels) AS l WHERE lower(l.key) = :${key} AND l.value ${fits})`;
  }
  if (subject.member === 'state') {
    parameters.chipNow = now;
    return `${metricStateSql(alias, ':chipNow')} ${fits}`;
  }
  return `${alias}.${subject.member} ${fits}`;
}
