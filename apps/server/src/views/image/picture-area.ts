import { ValidationFailedError } from '../../common/errors/app-error.js';
import { type PictureFormat } from './chart-request.js';

/** Maximum number of pixels of a raster picture; the cost grows with their number, whatever the content. */
const MAX_PIXELS = 4_000_000;

/** @throws ValidationFailedError if width and height are too large together, although each is allowed */
export function refuseLargePicture({ width, height }: { width: number; height: number }, format: PictureFormat): void {
  if (format !== 'png' || width * height <= MAX_PIXELS) return;
  const message = `height must be at most ${String(Math.floor(MAX_PIXELS / width))} at the width ${String(width)}, got ${String(height)}: a PNG has at most ${String(MAX_PIXELS)} pixels`;
  throw new ValidationFailedError([{ field: 'height', code: 'out_of_range', message }]);
}
