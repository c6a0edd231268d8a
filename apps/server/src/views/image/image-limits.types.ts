import { rateLimit } from '../../common/http/rate-limits.js';
import { MINUTE } from '../../common/time.js';
import { ImageConfig } from './image.config.js';

/** Requests for images and graphs. */
export const PICTURES = rateLimit({
  name: 'pictures',
  config: ImageConfig,
  points: (config) => config.pictures,
  windowSeconds: MINUTE,
});
