import { Setting } from '../../common/config/setting.decorator.js';

/** How many pictures may be drawn. */
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
}
