import { availableParallelism } from 'node:os';
import { Setting } from '../../common/config/setting.decorator.js';

/** Settings of drawing pictures, and their limits. */
export class ImageConfig {
  @Setting({
    env: 'PLUMBLINE_LIMIT_PICTURES',
    type: 'int',
    min: 1,
    max: 1_000_000,
    unit: 'per minute',
    sentence: 'Images and graphs for one session, token or address.',
  })
  pictures = 120;

  @Setting({
    env: 'PLUMBLINE_CHART_THREADS',
    type: 'int',
    min: 1,
    max: 16,
    defaultText: 'a quarter of the cores, at least 1, at most 4',
    sentence: 'Threads that draw pictures of charts.',
  })
  chartThreads = Math.max(1, Math.min(4, Math.floor(availableParallelism() / 4)));
}
