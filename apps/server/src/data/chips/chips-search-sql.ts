import { type Chip, foldCase } from './chips.js';
import { type ChipCondition, likePattern } from './chips-sql.js';

/**
 * Chips as a condition on rows of `metric_search`, known as `alias`, for lists over very many metrics. Selects the same
 * metrics as `matchesChips`, with the last known state. No typed text becomes part of the SQL text.
 * @param prefix of the parameter names; conditions within one statement need different prefixes
 */
export function chipsToSearchSql(chips: readonly Chip[], alias: string, prefix = 'chip'): ChipCondition {
  const parameters: ChipCondition['parameters'] = {};
  const conditions = chips.map((chip, index) => {
    const holds = conditionOf(chip, alias, `${prefix}${String(index)}`, parameters);
    // A missing label gives NULL: the condition is not met, negated or not.
    return chip.negated ? `(${holds}) IS NOT TRUE` : `(${holds})`;
  });
  return { where: conditions.length === 0 ? 'TRUE' : conditions.join(' AND '), parameters };
}

function conditionOf(chip: Chip, alias: string, name: string, parameters: ChipCondition['parameters']): string {
  const { subject, match, parts } = chip;
  if (subject.on === 'label' && match === 'whole' && parts.length === 1) {
    // This form can use an index. Keys that differ only in case are one key with a list of values.
    const [key, value] = [foldCase(subject.key), foldCase(parts[0]!)];
    parameters[name] = JSON.stringify({ [key]: value });
    parameters[`${name}Several`] = JSON.stringify({ [key]: [value] });
    return `${alias}.labels @> cast(:${name} AS jsonb) OR ${alias}.labels @> cast(:${name}Several AS jsonb)`;
  }
  parameters[name] = likePattern(chip);
  if (subject.on === 'name') return `${alias}.name LIKE lower(:${name})`;
  if (subject.on === 'member') return `${alias}.${subject.member} LIKE lower(:${name})`;
  const [key, fits] = [`:${name}Key`, `LIKE lower(:${name})`];
  parameters[`${name}Key`] = foldCase(subject.key);
  return (
    `CASE WHEN jsonb_typeof(${alias}.labels -> ${key}) = 'array'` +
    ` THEN EXISTS (SELECT FROM jsonb_array_elements_text(${alias}.labels -> ${key}) AS l (value) WHERE l.value ${fits})` +
    ` ELSE ${alias}.labels ->> ${key} ${fits} END`
  );
}
