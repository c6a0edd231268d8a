import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';

const ROOT = resolve(import.meta.dirname, '../..');

interface Rules {
  groups: { rules: { alert?: string; annotations?: Record<string, string>; labels?: Record<string, string> }[] }[];
}

const textOf = (path: string): Promise<string> => readFile(join(ROOT, path), 'utf8');

describe('alerts about the product itself', () => {
  let alerts: { name: string; annotations: Record<string, string>; labels: Record<string, string> }[];
  let sections: Map<string, string>;

  beforeAll(async () => {
    const { groups } = parse(await textOf('deploy/prometheus/itself-rules.yml')) as Rules;
    alerts = groups.flatMap(({ rules }) =>
      rules.map(({ alert = '', annotations = {}, labels = {} }) => ({ name: alert, annotations, labels })),
    );
    const parts = (await textOf('docs/guide/runbook.md')).split(/^## /m).slice(1);
    sections = new Map(parts.map((part) => [part.slice(0, part.indexOf('\n')), part]));
  });

  it('have one section of the runbook each, in the same order', () => {
    expect([...sections.keys()]).toEqual(alerts.map(({ name }) => name));
  });

  it('link to their section, and have a severity and a summary', () => {
    for (const { name, annotations, labels } of alerts) {
      expect([name, annotations.runbook_url]).toEqual([
        name,
        expect.stringMatching(new RegExp(`^https://.*/docs/guide/runbook\\.md#${name.toLowerCase()}$`)),
      ]);
      expect(['warning', 'critical']).toContain(labels.severity);
      expect(annotations.summary).toBeDefined();
    }
  });

  it('have a section with their meaning, checks and actions', () => {
    for (const [name, text] of sections) {
      for (const part of ['Means', 'Look at', 'Do'])
        expect([name, text]).toEqual([name, expect.stringContaining(`**${part}**: `)]);
    }
  });
});
