import { isArrayBuffer, isFloat64Array } from 'node:util/types';
import { MalformedBodyError } from './http.errors.js';
import { LARGE_BODY_BYTES, MAX_CONTAINERS, MAX_UPLOAD_CONTAINERS, parsedBody, type SentBody } from './body-parsing.js';

/** Lists of an upload with more items than this are returned as columns: they are points. */
const LONGEST_LIST = 1000;

/**
 * Pairs of numbers, one after the other, as returned by the thread that parses large bodies: objects would have to be
 * created again, one per pair. NaN replaces values that are not numbers.
 */
export interface PackedPairs {
  pairs: Float64Array<ArrayBuffer>;
  /** The first item whose second member is neither a number nor null. */
  wrongAt: number | null;
}

/** No body can be parsed into one. */
export function isPackedPairs(value: unknown): value is PackedPairs {
  return isObject(value) && 'pairs' in value && isFloat64Array(value.pairs);
}

export function packedPairs(list: readonly unknown[]): PackedPairs {
  const pairs = new Float64Array(2 * list.length);
  let wrongAt: number | null = null;
  for (const [row, item] of list.entries()) {
    const [first, second] = Array.isArray(item) ? (item as unknown[]) : [];
    pairs[2 * row] = typeof first === 'number' ? first : NaN;
    pairs[2 * row + 1] = typeof second === 'number' ? second : NaN;
    if (typeof second !== 'number' && second !== null) wrongAt ??= row;
  }
  return { pairs, wrongAt };
}

export type LargeBodyAnswer = { members: object } | { refused: string };

/** The content of a large body; long lists of an upload as `PackedPairs`. */
export function readLargeBody(sent: SentBody): LargeBodyAnswer {
  try {
    const members = parsedBody(sent);
    return { members: sent.isUpload ? packed(members) : members };
  } catch (error) {
    if (!(error instanceof MalformedBodyError)) throw error;
    return { refused: error.message };
  }
}

/** The memory of a received body, which may be transferred to another thread. */
export function memoryOf(answer: LargeBodyAnswer): ArrayBuffer[] {
  if ('refused' in answer) return [];
  const found = new Set<ArrayBuffer>();
  for (const value of membersOf(answer.members)) {
    const bytes: unknown = isPackedPairs(value) ? value.pairs : value;
    if (ArrayBuffer.isView(bytes) && isArrayBuffer(bytes.buffer)) found.add(bytes.buffer);
  }
  return [...found];
}

/** The members, also of a body that contains a token next to them. */
function membersOf(members: object): unknown[] {
  return Object.values(members).flatMap((value: unknown) =>
    isObject(value) && !isPackedPairs(value) && !ArrayBuffer.isView(value)
      ? (Object.values(value) as unknown[])
      : [value],
  );
}

/** @throws MalformedBodyError there is more than points and a few members */
function packed(members: object): object {
  const pack = (value: unknown): unknown => {
    const list = typeof value === 'string' ? listOf(value) : value;
    return Array.isArray(list) && (list !== value || list.length > LONGEST_LIST) ? packedPairs(list) : value;
  };
  const entries = Object.entries(members).map(([name, value]: [string, unknown]) => {
    const isPlain = isObject(value) && !Array.isArray(value) && !ArrayBuffer.isView(value);
    return [name, isPlain ? mapped(value, pack) : pack(value)] as const;
  });
  const whole = Object.fromEntries(entries);
  if (countContainers(whole) > MAX_CONTAINERS) {
    throw new MalformedBodyError(
      `The body has more than ${String(MAX_CONTAINERS)} objects and lists besides its points.`,
    );
  }
  return whole;
}

const mapped = (object: object, change: (value: unknown) => unknown): object =>
  Object.fromEntries(Object.entries(object).map(([name, value]: [string, unknown]) => [name, change(value)]));

/** The list in a form field, if it is a long one. */
function listOf(text: string): unknown {
  if (text.length <= LARGE_BODY_BYTES || !text.trimStart().startsWith('[')) return undefined;
  let containers = 0;
  for (const character of text) if (character === '[' || character === '{') containers++;
  if (containers > MAX_UPLOAD_CONTAINERS) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Objects and lists below a value, without those of columns. */
function countContainers(value: unknown): number {
  if (!isObject(value) || ArrayBuffer.isView(value) || isPackedPairs(value)) return 0;
  return Object.values(value).reduce((sum: number, member: unknown) => sum + countContainers(member), 1);
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
