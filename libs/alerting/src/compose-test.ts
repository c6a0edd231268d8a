import { type TestFacts } from './compose-facts.js';
import { baseOf, itemOf, TITLE_LENGTH, watcherRows } from './compose-shared.js';
import { type AlertContent } from './content.js';
import { momentText, shortened } from './value-text.js';

/** A real message that is marked as a test. */
export function composeTest(facts: TestFacts): AlertContent {
  const { org, watcher, requestedBy, example, now, timezone, id } = facts;
  const what = watcher === null ? 'This is a test' : `This is a test of the watcher “${watcher.name}”`;
  return {
    ...baseOf(facts),
    kind: 'test',
    phase: 'opened',
    isTest: true,
    title: shortened(`Test: alerts of ${org.name} arrive here`, TITLE_LENGTH),
    summary: `${what}: nothing is wrong, and there is nothing to do.${requestedBy === null ? '' : ` Requested by ${requestedBy}.`}`,
    severity: null,
    severityLabel: null,
    start: now,
    end: null,
    items: example === null ? [] : [{ ...itemOf(example, facts), text: 'An example of what an alert shows.' }],
    metricsCount: example === null ? 0 : 1,
    origin: null,
    facts: [['Sent', momentText(now, timezone)], ...watcherRows(facts)],
    subject: { type: 'test', id },
  };
}
