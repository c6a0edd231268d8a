import { CONTENTS, hostileContent } from '../../../../../../test/support/alert-contents.js';
import { cardProblems } from '../../../../../../test/support/adaptive-card.js';
import { expectGolden } from '../../../../../../test/support/golden.js';
import { LARGEST_MESSAGE, teamsMessage } from './teams-card.js';

const written = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');

describe('teamsMessage', () => {
  it.each(Object.keys(CONTENTS))('returns a card for %s that matches the schema', (name) => {
    const message = teamsMessage(CONTENTS[name]!(), PNG);
    expect(cardProblems(message)).toEqual([]);
    expectGolden(`alerts/teams-${name}.json`, written(message));
  });

  it('embeds the picture if it fits, otherwise links to it', () => {
    const imageOf = (png: Buffer | null): unknown => {
      const { body } = teamsMessage(CONTENTS.single!(), png).attachments[0].content;
      return (body as { type: string; url?: string }[]).find(({ type }) => type === 'Image')?.url;
    };
    expect(imageOf(PNG)).toBe(`data:image/png;base64,${PNG.toString('base64')}`);
    expect(imageOf(Buffer.alloc(40_000))).toMatch(/^https:\/\/plumbline\.example\.org\/api\/image\/anomaly/);
    expect(imageOf(null)).toBeUndefined();
  });

  it('stays within the size limit of the service', () => {
    const content = CONTENTS.storm!();
    const items = content.items.map((item) => ({ ...item, metric: 'é'.repeat(1024) }));
    const message = teamsMessage({ ...content, items, summary: 'é'.repeat(5000) }, Buffer.alloc(12_000));
    expect(cardProblems(message)).toEqual([]);
    expect(Buffer.byteLength(JSON.stringify(message))).toBeLessThanOrEqual(LARGEST_MESSAGE);
  });

  it('renders hostile names as plain text, never as markup', () => {
    const message = teamsMessage(hostileContent(), null);
    expect(cardProblems(message)).toEqual([]);
    expect(JSON.stringify(message)).not.toContain('"TextBlock"');
  });

  it('rejects invalid cards in the validator of these tests', () => {
    const message = structuredClone(teamsMessage(CONTENTS.single!(), null)) as never as Record<string, never[]>;
    expect(cardProblems({ ...message, text: 'x' })).not.toEqual([]);
    expect(cardProblems({ type: 'message', attachments: [] })).not.toEqual([]);
    const element = { type: 'TextRun', text: 'x' };
    const content = { type: 'AdaptiveCard', version: '1.4', body: [element] };
    const contentType = 'application/vnd.microsoft.card.adaptive';
    expect(cardProblems({ type: 'message', attachments: [{ contentType, content }] })).not.toEqual([]);
  });
});
