import { CachedName } from './cached-name.js';
import { type MetricNameProblem } from './metric-name.js';

/** Maximum number of fields cached for one key; a key with more of them starts over: memory per key is bounded. */
const MAX_FIELDS = 1000;
/** Up to this number, fields are compared one by one. */
const MAX_COMPARED_FIELDS = 8;

/** Generation of a key that was not used again since it was added. */
export const FRESH = -1;

/**
 * A series key of several metrics, one per field, as in line protocol. Strings are the Latin-1 text of the bytes. There
 * may be a million of them, mostly with one field, which therefore needs no list.
 */
export class SeriesKey {
  /** The key of the line that followed last time: likely to follow again. */
  next: SeriesKey | null = null;
  /** Generation of the cache in which it was last used. */
  generation = FRESH;
  /** It is in the cache. */
  isHeld = false;
  private first: KeyField | null = null;
  private others: OtherFields | null = null;

  /** @param problem the reason why the key is not the name of a metric */
  constructor(
    readonly raw: string,
    readonly problem: string | null,
  ) {}

  /** Dropped by the cache. */
  drop(): void {
    this.next = null;
    this.isHeld = false;
    this.generation = FRESH;
  }

  /** Fields in the order in which they were first seen: usually that of every line. Null after the last one. */
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

/** All fields of a key except the first. */
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

/** A field of a key, and the metric of both. */
export class KeyField extends CachedName {
  /**
   * @param name of the metric; empty if there is none
   * @param refusal the problem of the name, and the name of the field in reports
   */
  constructor(
    readonly raw: string,
    name: string,
    readonly refusal: (MetricNameProblem & { text: string }) | null,
  ) {
    super(name);
  }
}
