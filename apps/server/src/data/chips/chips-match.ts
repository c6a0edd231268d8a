import { type Chip, foldCase } from './chips.js';

/** The parts of a metric that chips examine. An omitted part is unknown. */
export interface MatchTarget {
  name: string;
  labels: Readonly<Record<string, string>>;
  source?: string;
  type?: string;
  state?: string;
}

/** A chip list prepared for matching against many metrics. */
export type ChipMatcher = (target: FoldedTarget) => boolean;

type Test = (text: string) => boolean;

/** A metric prepared for matching against many chip lists: each of its texts is folded once, when first needed. */
export class FoldedTarget {
  private foldedName: string | undefined;
  private foldedLabels: ReadonlyMap<string, readonly string[]> | undefined;

  constructor(private readonly target: MatchTarget) {}

  get name(): string {
    return (this.foldedName ??= fold(this.target.name));
  }

  /** Values of the labels with this key, which must be folded; several where keys differ in case only. */
  label(key: string): readonly string[] {
    this.foldedLabels ??= foldLabels(this.target.labels);
    return this.foldedLabels.get(key) ?? NO_VALUES;
  }

  member(member: 'source' | 'type' | 'state'): string | undefined {
    const value = this.target[member];
    return value === undefined ? undefined : fold(value);
  }
}

/**
 * Selects the same metrics as `matchesChips` and the SQL forms. A chip about an unknown property of the metric does not
 * match, negated or not: decisions about data must not guess.
 */
export function compileChips(chips: readonly Chip[]): ChipMatcher {
  const tests = chips.map(compileChip);
  return (target) => tests.every((test) => test(target));
}

function compileChip({ subject, negated, match, parts }: Chip): ChipMatcher {
  const holds = textTest(match, parts.map(fold));
  if (subject.on === 'name' || (subject.on === 'member' && subject.member === 'name')) {
    return (target) => holds(target.name) !== negated;
  }
  if (subject.on === 'label') {
    const key = fold(subject.key);
    return (target) => target.label(key).some(holds) !== negated;
  }
  const member = subject.member as 'source' | 'type' | 'state';
  return (target) => {
    const value = target.member(member);
    return value !== undefined && holds(value) !== negated;
  };
}

function textTest(match: Chip['match'], parts: readonly string[]): Test {
  const first = parts[0] ?? '';
  if (match === 'contains') return (text) => text.includes(first);
  if (parts.length === 1) return (text) => text === first;
  const last = parts[parts.length - 1]!;
  const between = parts.slice(1, -1);
  const shortest = first.length + last.length;
  return (text) => {
    if (text.length < shortest || !text.startsWith(first) || !text.endsWith(last)) return false;
    const end = text.length - last.length;
    let at = first.length;
    for (const part of between) {
      const found = text.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return at <= end;
  };
}

const NO_VALUES: readonly string[] = [];

function foldLabels(labels: MatchTarget['labels']): Map<string, string[]> {
  const folded = new Map<string, string[]>();
  for (const [label, value] of Object.entries(labels)) {
    const key = fold(label);
    const values = folded.get(key);
    if (values === undefined) folded.set(key, [fold(value)]);
    else values.push(fold(value));
  }
  return folded;
}

const ASCII = /^[\x20-\x7e]*$/;

function fold(text: string): string {
  return ASCII.test(text) ? text.toLowerCase() : foldCase(text);
}
