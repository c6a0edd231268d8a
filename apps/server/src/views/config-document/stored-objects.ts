import { type ConfigFields, type ConfigKind, type ConfigObject } from '../../platform/config-kind/config-kind.types.js';
import { ConfigDocumentError } from './config-document.errors.js';
import { type WantedObject } from './config-document.types.js';

/** An object of a document with its stored form. */
export interface JudgedObject extends WantedObject {
  fields: ConfigFields;
}

type Identity = Pick<ConfigKind, 'keyOf' | 'likenessOf'>;

/**
 * The stored objects of a kind, matched with the objects of a document. Of several with the same key the last one
 * counts.
 */
export class StoredObjects {
  private readonly remaining: Set<ConfigObject>;

  constructor(
    private readonly kind: Identity,
    objects: readonly ConfigObject[],
  ) {
    this.remaining = new Set(objects);
  }

  /** One stored object per key, in order. */
  oneOfEach(): ConfigObject[] {
    const counting = new Set(this.by((fields) => this.kind.keyOf(fields)).values());
    return [...this.remaining].filter((object) => counting.has(object));
  }

  /**
   * The stored object that corresponds to each object of a document; null: a new object. Equal keys are matched first,
   * then equal likenesses.
   * @throws ConfigDocumentError if two of them have the same key
   */
  meantBy(wanted: readonly JudgedObject[]): (ConfigObject | null)[] {
    const named = new Map<string, JudgedObject>();
    const byKey = this.by((fields) => this.kind.keyOf(fields));
    const meant = wanted.map((one) => {
      const key = this.kind.keyOf(one.fields);
      const earlier = named.get(key);
      if (earlier) throw describedTwice(one, earlier);
      named.set(key, one);
      const found = byKey.get(key) ?? null;
      if (found) this.remaining.delete(found);
      return found;
    });
    const byLikeness = this.by((fields) => this.kind.likenessOf?.(fields) ?? null);
    return meant.map((exact, index) => {
      const likeness = this.kind.likenessOf?.(wanted[index]!.fields) ?? null;
      if (exact || likeness === null) return exact;
      const found = byLikeness.get(likeness) ?? null;
      if (found) this.remaining.delete(found);
      byLikeness.delete(likeness);
      return found;
    });
  }

  /** The stored objects that no object of the document corresponds to. */
  left(): ConfigObject[] {
    return [...this.remaining];
  }

  private by(textOf: (fields: ConfigFields) => string | null): Map<string, ConfigObject> {
    const found = new Map<string, ConfigObject>();
    for (const object of this.remaining) {
      const text = textOf(object.fields);
      if (text !== null) found.set(text, object);
    }
    return found;
  }
}

/** An earlier object of the document that may be the same thing. */
export function alikeBefore(kind: Identity, wanted: readonly JudgedObject[], index: number): JudgedObject | undefined {
  const likeness = kind.likenessOf?.(wanted[index]!.fields) ?? null;
  if (likeness === null) return undefined;
  return wanted.slice(0, index).find(({ fields }) => kind.likenessOf?.(fields) === likeness);
}

export function describedTwice({ read }: WantedObject, earlier: WantedObject): ConfigDocumentError {
  const message = `this is described on line ${String(earlier.read.line)} already`;
  return new ConfigDocumentError([{ line: read.line, code: 'duplicate_parameter', message }]);
}
