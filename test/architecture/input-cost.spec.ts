import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { jest } from '@jest/globals';
import { isComposable } from '#libs/contracts';
import { ValidationFailedError } from '../../apps/server/src/common/errors/app-error.js';
import { type ParamsClass, type ParamSpec, paramsOf } from '../../apps/server/src/common/validation/param-registry.js';
import { readParameters } from '../../apps/server/src/common/validation/params.pipe.js';

const SOURCES = resolve(import.meta.dirname, '../../apps/server/src');
const NOW = 1_760_000_000;
const LENGTH = 30_000;
/** One problem of the parameter itself, and one of another parameter that its call requires. */
const MAX_PROBLEMS = 2;
/** Texts that are slow for careless code: digits, quotes, brackets, separators, marks, halves of surrogate pairs. */
const UNITS = ['9', '.', ' ', '\\"', '[', '{', '[1,', 'a@', 'a.', '1h', '\u0301\u0316', '\n', '\ud800'];

interface Place {
  name: string;
  type: ParamsClass;
  spec: ParamSpec;
}

/** One parameter of each kind in the API. Parameters with the same conversion and description count as one kind. */
async function places(): Promise<Place[]> {
  const names = await readdir(SOURCES, { recursive: true });
  const found = new Map<string, Place>();
  for (const path of names.filter((name) => name.endsWith('.params.ts')).sort()) {
    const exported = Object.entries((await import(join(SOURCES, path))) as Record<string, unknown>);
    for (const [name, type] of exported) {
      if (typeof type !== 'function' || typeof type.prototype !== 'object') continue;
      for (const spec of paramsOf(type as ParamsClass).values()) {
        const { convert, schema } = spec.kind;
        const kind = `${String(convert)} ${JSON.stringify(schema())} ${JSON.stringify(spec.options.required ?? false)}`;
        if (!found.has(kind)) found.set(kind, { name: `${name}.${spec.name}`, type: type as ParamsClass, spec });
      }
    }
  }
  return [...found.values()];
}

/** The number of problems of a single parameter. */
function problemsOf({ type, spec: { name } }: Place, sent: unknown): number {
  try {
    readParameters(
      { type, query: {}, body: { [name]: sent }, form: false },
      { now: NOW, write: true, refuseUnknown: true },
    );
    return 0;
  } catch (error) {
    if (!(error instanceof ValidationFailedError)) throw error;
    return error.details.filter(({ field }) => field === name || field.startsWith(`${name}.`)).length;
  }
}

const compose = String.prototype.normalize;

describe('every parameter of every call', () => {
  it('is validated at a cost proportional to its length, for any text', async () => {
    const all = await places();
    expect(all.length).toBeGreaterThan(100);
    let normalised = 0;
    let at = '';
    const faulty = new Set<string>();
    const spy = jest.spyOn(String.prototype, 'normalize').mockImplementation(function (this: string) {
      normalised += this.length;
      if (!isComposable(this)) faulty.add(`${at}: is normalised without a look at its marks`);
      return compose.call(this, 'NFC');
    });
    try {
      for (const place of all) {
        for (const unit of UNITS) {
          at = `${place.name}, ${JSON.stringify(unit)}`;
          normalised = 0;
          if (problemsOf(place, unit.repeat(LENGTH / unit.length)) > MAX_PROBLEMS) faulty.add(`${at}: many problems`);
          if (normalised > 4 * LENGTH) faulty.add(`${at}: is normalised again and again`);
        }
      }
    } finally {
      spy.mockRestore();
    }
    expect([...faulty]).toEqual([]);
  }, 120_000);
});
