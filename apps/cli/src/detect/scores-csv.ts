import { ANOMALY_KINDS } from '#libs/contracts';
import { type ScoredVerdicts } from '#libs/detection';
import { type OrderedSeries } from '../csv/series-order.js';

const COLUMNS = 'timestamp,value,yhat,yhat_lower,yhat_upper,novelty,spike,score,anomalous,kind';
/** Number of lines per chunk: large files are never held as one string. */
const LINES_PER_CHUNK = 10_000;

/** Empty for unknown values. */
function cell(value: number): string {
  return Number.isFinite(value) ? String(value) : '';
}

/** Kind of the open anomaly as of this row; empty if there is none. */
function kindCell(kind: number): string {
  return kind === 0 ? '' : ANOMALY_KINDS[kind - 1]!;
}

/** Quotes a text that would split the line, such as a time with a comma. */
function timestampCell(text: string): string {
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * The scores file: a header, then one line per row of data in the order of the input, with the timestamp as written.
 * `series` and `verdicts` are in order of time; `placeOf` contains the position of each row of the input in them. Cells
 * without a number (no value, no expectation yet) are empty; `anomalous` is 0 or 1; `kind` is empty if `anomalous` is
 * 0.
 */
export function* scoresCsv({ series, placeOf }: OrderedSeries, verdicts: ScoredVerdicts): Generator<string> {
  let chunk = `${COLUMNS}\n`;
  for (let line = 0; line < placeOf.length; line++) {
    const row = placeOf[line]!;
    chunk +=
      `${timestampCell(series.timestampTexts[row]!)},${cell(series.values[row]!)},${cell(verdicts.yhat[row]!)},` +
      `${cell(verdicts.lower[row]!)},${cell(verdicts.upper[row]!)},${cell(verdicts.novelty[row]!)},` +
      `${cell(verdicts.spike[row]!)},${cell(verdicts.score[row]!)},${verdicts.anomalous[row]!},` +
      `${kindCell(verdicts.kind[row]!)}\n`;
    if (line % LINES_PER_CHUNK === LINES_PER_CHUNK - 1) {
      yield chunk;
      chunk = '';
    }
  }
  yield chunk;
}
