import { type Schema } from '../../../lib/api';
import { texts } from '../teach.texts';

type Pattern = Schema<'PatternDto'>;

export function stateOf({ enabled, shadow, positive }: Pattern): keyof typeof texts.states {
  if (!enabled) return 'disabled';
  if (positive) return 'problem';
  return shadow ? 'shadow' : 'enabled';
}

export const patternName = ({ id, label }: Pick<Pattern, 'id' | 'label'>): string =>
  label === '' ? texts.noLabel(id) : label;
