import { type CachedName } from './cached-name.js';
import { type MetricNameProblem } from './metric-name.js';

/** Fields remembered of one key; a key with more of them starts over, so that memory per key is bounded. */
const MAX_FIELDS = 1000;

/** Generation of a key that was not used again since it was taken in. */
export const FRESH = -1;

/** A series key that names several metrics, one per field, as line protocols have them. Texts are Latin-1 of the bytes. */
export class SeriesKey {
  /** In the order in which they were first seen: mostly that of every line. */
  fields: KeyField[] = [];
  /** The key of the line that followed this one's last time: likely to follow it again. */
  next: SeriesKey | null = null;
  /** Generation of the cache in which it was last used. */
  generation = FRESH;
  /** It is in the cache. */
  isHeld = false;
  private byRaw: Map<string, KeyField> | null = null;

  /** @param problem why the key can name no metric */
  constructor(
    readonly raw: string,
    readonly problem: string | null,
  ) {}

  /** The cache has dropped it. */
  drop(): void {
    this.next = null;
    this.isHeld = false;
    this.generation = FRESH;
  }

  field(raw: string): KeyField | undefined {
    this.byRaw ??= new Map(this.fields.map((field) => [field.raw, field]));
    return this.byRaw.get(raw);
  }

  addField(field: KeyField): void {
    if (this.fields.length >= MAX_FIELDS) {
      this.fields = [];
      this.byRaw = null;
    }
    // The first push to an empty list makes room for 17.
    if (this.fields.length === 0) this.fields = [field];
    else this.fields.push(field);
    this.byRaw?.set(field.raw, field);
  }
}

export class KeyField {
  /** @param text what a field without a valid name is called in reports */
  constructor(
    readonly raw: string,
    readonly name: CachedName | null,
    readonly problem: MetricNameProblem | null,
    readonly text: string,
  ) {}
}
