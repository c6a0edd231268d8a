/** Lists and maps within attribute values are read down to this depth; deeper values read as null. */
export const MAX_VALUE_DEPTH = 16;

/** A number in the form of labels and of JSON within labels: not-a-number and the infinities are texts there. */
export function doubleText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

export function doubleJson(value: number): string {
  return Number.isFinite(value) ? doubleText(value) : `"${value}"`;
}
