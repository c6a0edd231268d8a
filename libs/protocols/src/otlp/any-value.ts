/** Lists and maps inside attribute values are read to this depth; what lies deeper reads as null. */
export const MAX_VALUE_DEPTH = 16;

/** A number as a label shows it and as JSON inside a label does: not-a-number and the infinities are texts there. */
export function doubleText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

export function doubleJson(value: number): string {
  return Number.isFinite(value) ? doubleText(value) : `"${value}"`;
}
