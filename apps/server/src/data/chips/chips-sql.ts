import { type Chip } from './chips.js';
import { metricStateSql } from './metric-state-sql.js';

/** A condition with named parameters, as query builders take it. */
export interface ChipCondition {
  where: string;
  parameters: Record<string, string | number>;
}

/**
 * Chips as a condition on rows of the metric table, known as `alias`; selects what `matchesChips` selects. `now` in Unix
 * seconds. Nothing that was typed becomes part of the SQL text.
 */
export function chipsToSql(chips: readonly Chip[], alias: string, now: number): ChipCondition {
  const parameters: ChipCondition['parameters'] = {};
  const conditions = chips.map((chip, index) => {
    const pattern = `chip${String(index)}`;
    parameters[pattern] = likePattern(chip);
    const holds = `${subjectSql(chip, index, alias, parameters, now)} ILIKE :${pattern}`;
    // A label that is missing gives NULL: it neither holds nor, negated, fails.
    return chip.negated ? `(${holds}) IS NOT TRUE` : `(${holds})`;
  });
  return { where: conditions.length === 0 ? 'TRUE' : conditions.join(' AND '), parameters };
}

/** Pattern of LIKE for the text of a chip; texts are taken literally but for its `*`. */
export function likePattern({ match, parts }: Chip): string {
  const pattern = parts.map((part) => part.replace(/[\\%_]/g, '\\$&')).join('%');
  return match === 'contains' ? `%${pattern}%` : pattern;
}

function subjectSql(
  { subject }: Chip,
  index: number,
  alias: string,
  parameters: ChipCondition['parameters'],
  now: number,
): string {
  if (subject.on === 'name') return `${alias}.name`;
  if (subject.on === 'label') {
    const key = `chip${String(index)}Key`;
    parameters[key] = subject.key;
    return `${alias}.labels ->> :${key}`;
  }
  if (subject.member === 'state') {
    parameters.chipNow = now;
    return metricStateSql(alias, ':chipNow');
  }
  return `${alias}.${subject.member}`;
}
