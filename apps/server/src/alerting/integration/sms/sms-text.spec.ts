import { CONTENTS } from '../../../../../../test/support/alert-contents.js';
import { smsText } from './sms.channel.js';

describe('smsText', () => {
  it('states what happened once, in characters that phones support', () => {
    const content = CONTENTS.single!();
    const text = smsText({ ...content, title: 'Major: a.b dropped to −35 µ (usual 1 to 2)', summary: 'Since 10:00.' });
    expect(text).toBe(
      'Major: a.b dropped to -35 u (usual 1 to 2). Since 10:00. https://plumbline.example.org/incident/41',
    );
  });

  it('marks a test and a recovery once', () => {
    expect(smsText(CONTENTS.test!()).match(/Test: /g)).toHaveLength(1);
    expect(smsText(CONTENTS.recovered!()).match(/Recovered: /g)).toHaveLength(1);
  });

  it('keeps the whole link, even with a long title', () => {
    const content = CONTENTS.single!();
    const text = smsText({ ...content, title: 'x'.repeat(500) });
    expect(text.length).toBeLessThanOrEqual(300);
    expect(text.endsWith(` ${content.links.console}`)).toBe(true);
  });
});
