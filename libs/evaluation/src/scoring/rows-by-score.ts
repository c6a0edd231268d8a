/** First index in an ascending list whose value is not below `value`. */
function lowerBound(rising: Float64Array, value: number): number {
  let low = 0;
  let high = rising.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rising[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Rows whose score is a number, highest score first; rows with equal scores stay in their order. This is the order in
 * which rows reach a threshold that is lowered step by step. Counting sort over the sorted scores: a comparison
 * function per pair would cost five times as much.
 */
export function rowsByScore(scores: Float64Array): Uint32Array {
  // Descending scores are ascending negatives; the subtraction from zero makes -0 and 0 equal.
  const rising = scores
    .filter((score) => !Number.isNaN(score))
    .map((score) => 0 - score)
    .sort();
  const taken = new Uint32Array(rising.length);
  const rows = new Uint32Array(rising.length);
  for (let row = 0; row < scores.length; row++) {
    if (Number.isNaN(scores[row])) continue;
    const place = lowerBound(rising, 0 - scores[row]!);
    rows[place + taken[place]!++] = row;
  }
  return rows;
}
