import { type BaselineModel } from './baseline-model.js';
import { defineBaseline, EVEN, type RowScorer, scoreOf } from './define-baseline.js';
import { Fft } from './fft.js';

const { abs, exp, log, max, sqrt } = Math;

/** Length of the transform: the latest rows and a few estimated ones after them. */
const SIZE = 256;
const HALF = SIZE / 2;
/** Points estimated after the newest one, so that it is not at the edge. */
const ESTIMATED = 5;
const ROWS = SIZE - ESTIMATED;
/** Gradients from which they are estimated. */
const GRADIENTS = 5;
/** Frequencies over which the log spectrum is averaged, to either side of one. */
const SPECTRUM_REACH = 1;
/** Rows over whose saliency that of the newest is compared. */
const LOCAL_ROWS = 21;
/** The paper has 3, which on server metrics one row in thirty reaches. */
const ALARM_RATIO = 15;
/** Amplitudes below this share of the largest are rounding. */
const ROUNDING = 1e-12;

class SpectralScorer implements RowScorer {
  private readonly fft = new Fft(SIZE);
  private readonly ring = new Float64Array(ROWS);
  private count = 0;
  private readonly real = new Float64Array(SIZE);
  private readonly imaginary = new Float64Array(SIZE);
  /** Amplitudes, then their logarithms. */
  private readonly logs = new Float64Array(HALF + 1);

  next(_timestamp: number, value: number): number {
    this.ring[this.count % ROWS] = value;
    this.count += 1;
    if (this.count < ROWS) return 0;
    this.layOut();
    this.fft.transform(this.real, this.imaginary);
    if (!this.whiten()) return 0;
    this.fft.inverse(this.real, this.imaginary);
    return scoreOf(this.excessOfNewest(), ALARM_RATIO);
  }

  /** The window, oldest first, around its mean, with the estimated points behind it. */
  private layOut(): void {
    const { ring, real, imaginary, count } = this;
    // First relative to one of its values, so that equal values become exactly 0.
    const origin = ring[count % ROWS]!;
    let sum = 0;
    for (let i = 0; i < ROWS; i++) {
      real[i] = ring[(count + i) % ROWS]! - origin;
      sum += real[i]!;
    }
    // From the rows before the newest, as the authors' code does it: an outlier would distort the estimate.
    const last = ROWS - 2;
    let estimate = real[last - GRADIENTS + 1]!;
    for (let back = 1; back <= GRADIENTS; back++) estimate += (real[last]! - real[last - back]!) / back;
    const mean = sum / ROWS;
    for (let i = 0; i < ROWS; i++) real[i] = real[i]! - mean;
    real.fill(estimate - mean, ROWS);
    imaginary.fill(0);
  }

  /** Reduces the log spectrum to its difference from its local average. False if there is no spectrum. */
  private whiten(): boolean {
    const { real, imaginary, logs } = this;
    // The spectrum of real numbers is symmetric: half of it suffices.
    let largest = 0;
    for (let k = 0; k <= HALF; k++) {
      logs[k] = sqrt(real[k]! * real[k]! + imaginary[k]! * imaginary[k]!);
      largest = max(largest, logs[k]!);
    }
    if (largest === 0) return false;
    const least = ROUNDING * largest;
    for (let k = 0; k <= HALF; k++) logs[k] = log(max(logs[k]!, least));
    for (let k = 0; k <= HALF; k++) {
      let sum = 0;
      for (let near = k - SPECTRUM_REACH; near <= k + SPECTRUM_REACH; near++) sum += logs[folded(near)]!;
      // exp(log amplitude - average) with the old phase: divide by exp(average).
      const factor = exp(-sum / (2 * SPECTRUM_REACH + 1));
      real[k] = real[k]! * factor;
      imaginary[k] = imaginary[k]! * factor;
      if (k === 0 || k === HALF) continue;
      real[SIZE - k] = real[k]!;
      imaginary[SIZE - k] = -imaginary[k]!;
    }
    return true;
  }

  /** How far the saliency of the newest row is over the mean of those before it, in units of that mean. */
  private excessOfNewest(): number {
    const { real } = this;
    let sum = 0;
    for (let row = ROWS - 1 - LOCAL_ROWS; row < ROWS - 1; row++) sum += abs(real[row]!);
    const average = sum / LOCAL_ROWS;
    return (abs(real[ROWS - 1]!) - average) / average;
  }
}

/** Place in the first half of the spectrum that has the same amplitude. */
function folded(k: number): number {
  if (k < 0) return -k;
  return k > HALF ? SIZE - k : k;
}

/**
 * Saliency of the newest row: the log spectrum of the latest 251 rows less its own local average, transformed back, against
 * the rows before. The window is taken around its mean, so that adding a constant changes nothing. Has no
 * verdict before the window is full. O(window log window) a row.
 * Source: Ren et al. (2019), "Time-Series Anomaly Detection Service at Microsoft", KDD.
 */
export const SPECTRAL_RESIDUAL: BaselineModel = defineBaseline({
  id: 'spectral_residual',
  name: 'Spectral residual',
  description: 'Takes out what the spectrum of the latest values has in common and asks whether the newest stands out.',
  source: 'Ren et al. (2019), Time-Series Anomaly Detection Service at Microsoft',
  minimumPoints: ROWS,
  speed: 'medium',
  threshold: EVEN,
  hasRange: false,
  start: () => new SpectralScorer(),
});
