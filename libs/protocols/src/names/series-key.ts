import { CachedName } from './cached-name.js';
import { type MetricNameProblem } from './metric-name.js';

/** Fields remembered of one key; a key with more of them starts over: memory per key is bounded. */
const MAX_FIELDS = 1000;
/** Up to so many fields are compared one by one. */
const MAX_COMPARED_FIELDS = 8;

/** Generation of a key that was not used again since it was taken in. */
export const FRESH = -1;

/**
 * A series key that names several metrics, one per field, as line protocols have them. Texts are Latin-1 of the bytes.
 * There may be a million of them, most with one field: that one needs no list.
 */
export class SeriesKey {
  /** The key of the line that followed this one's last time: likely to follow it again. */
  next: SeriesKey | null = null;
  /** Generation of the cache in which it was last used. */
  generation = FRESH;
  /** It is in the cache. */
  isHeld = false;
  private first: KeyField | null = null;
  private others: OtherFields | null = null;

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

  /** Fields in the order in which they were first seen: mostly that of every line. Null behind the last one. */
  fieldAt(index: number): KeyField | null {
    return index === 0 ? this.first : (this.others?.list[index - 1] ?? null);
  }

  field(raw: string): KeyField | undefined {
    if (this.first?.raw === raw) return this.first;
    return this.others?.find(raw);
  }

  addField(field: KeyField): void {
    if (this.first === null || this.others?.list.length === MAX_FIELDS - 1) {
      this.first = field;
      this.others = null;
      return;
    }
    this.others ??= new OtherFields();
    this.others.add(field);
  }

  *fields(): Generator<KeyField> {
    if (this.first !== null) yield this.first;
    if (this.others !== null) yield* this.others.list;
  }
}

/** All fields of a key but the first. */
class OtherFields {
  readonly list: KeyField[] = [];
  private byRaw: Map<string, KeyField> | null = null;

  find(raw: string): KeyField | undefined {
    if (this.list.length <= MAX_COMPARED_FIELDS) return this.list.find((field) => field.raw === raw);
    this.byRaw ??= new Map(this.list.map((field) => [field.raw, field]));
    return this.byRaw.get(raw);
  }

  add(field: KeyField): void {
    this.list.push(field);
    this.byRaw?.set(field.raw, field);
  }
}

/** A field of a key, and the metric that both name. */
export class KeyField extends CachedName {
  /**
   * @param name of the metric; empty if the two name none
   * @param refusal why they name none, and what the field is called in reports
   */
  constructor(
    readonly raw: string,
    name: string,
    readonly refusal: { text: string; reason: MetricNameProblem['reason'] } | null,
  ) {
    super(name);
  }
}
