import { Setting } from '../../common/config/setting.decorator.js';

/** Setting that defines whether this process serves the console. */
export class ConsoleConfig {
  @Setting({
    env: 'PLUMBLINE_CONSOLE',
    type: 'enum',
    values: ['on', 'off'],
    sentence: 'off: no web console at /; the pages that mails link to are plain forms then.',
  })
  mode: 'on' | 'off' = 'on';
}
