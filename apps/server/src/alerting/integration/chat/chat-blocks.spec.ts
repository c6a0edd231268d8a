import { CONTENTS, hostileContent } from '../../../../../../test/support/alert-contents.js';
import { expectGolden } from '../../../../../../test/support/golden.js';
import { blockProblems } from '../../../../../../test/support/slack-blocks.js';
import { chatBlocks, chatReply } from './chat-blocks.js';

const written = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

describe('chatBlocks', () => {
  it.each(Object.keys(CONTENTS))('returns valid Block Kit blocks for %s', (name) => {
    const message = chatBlocks(CONTENTS[name]!(), ['U012AB3CD']);
    expect(blockProblems(message.blocks)).toEqual([]);
    expectGolden(`alerts/chat-${name}.json`, written(message));
    expect(blockProblems(chatReply(CONTENTS[name]!()).blocks)).toEqual([]);
  });

  it('returns valid blocks for the longest texts', () => {
    const content = CONTENTS.storm!();
    const long = 'x'.repeat(1024);
    const items = content.items.map((item) => ({ ...item, metric: long, unit: long }));
    const facts = Array.from({ length: 14 }, (_, at) => [`${String(at)} ${long}`, long] as const);
    const message = chatBlocks({ ...content, items, facts, summary: long.repeat(9) }, []);
    expect(blockProblems(message.blocks)).toEqual([]);
  });

  it('mentions only valid member ids, and never one from the text of a metric', () => {
    const message = chatBlocks(hostileContent(), ['U012AB3CD', '!channel', 'U1><!here']);
    // A header is plain text, so it cannot contain mentions.
    const text = JSON.stringify([message.text, message.blocks.filter(({ type }) => type !== 'header')]);
    expect(text).not.toContain('<!');
    expect(text.match(/<@[^>]*>/g)).toEqual(['<@U012AB3CD>']);
    expect(text).toContain('&lt;!channel&gt;');
  });

  it('keeps metric names unchanged, so that they can be copied', () => {
    const { text } = chatBlocks(CONTENTS.single!(), []);
    expect(text).toContain('disk_read_latency_seconds{instance="db-1",device="nvme0n1"} spiked');
  });

  it('adds buttons that open the console', () => {
    const { blocks } = chatBlocks(CONTENTS.storm!(), []) as { blocks: { type: string; elements?: unknown[] }[] };
    const actions = blocks.find(({ type }) => type === 'actions');
    expect(actions?.elements?.[0]).toMatchObject({
      url: 'https://plumbline.example.org/incident/41',
      style: 'primary',
    });
  });

  it('rejects invalid blocks in the validator of these tests', () => {
    expect(blockProblems([{ type: 'header', text: { type: 'mrkdwn', text: 'x' } }])).toHaveLength(1);
    expect(blockProblems([{ type: 'section' }])).toHaveLength(1);
    expect(blockProblems([{ type: 'section', text: { type: 'mrkdwn', text: 'x'.repeat(3001) } }])).toHaveLength(1);
    expect(blockProblems([{ type: 'actions', elements: [{ type: 'button', url: 'javascript:1' }] }])).not.toEqual([]);
  });
});
