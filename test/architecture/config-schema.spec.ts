import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { describeConfig, type JsonSchema } from '../../apps/server/src/views/doc/config-schema.js';
import { createPreviewApp } from '../support/app.js';

const ROOT = resolve(import.meta.dirname, '../..');
const COMMITTED = resolve(ROOT, 'apps/server/config-schema.json');
const GUIDE = resolve(ROOT, 'docs/guide/configuration-in-git.md');

describe('the schema of configuration documents', () => {
  let schema: JsonSchema;
  let validate: ValidateFunction;
  beforeAll(async () => {
    schema = describeConfig(await createPreviewApp());
    const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });
    addFormats.default(ajv);
    validate = ajv.compile(schema);
  });

  const isSound = (text: string): boolean[] => parseAllDocuments(text).map((one) => validate(one.toJS()));

  it('matches the committed file; after a change run npm run config:schema and commit', async () => {
    expect(JSON.parse(JSON.stringify(schema))).toEqual(JSON.parse(await readFile(COMMITTED, 'utf8')));
  });

  it('accepts every example of the guide', async () => {
    const examples = [...(await readFile(GUIDE, 'utf8')).matchAll(/```yaml\n(.*?)```/gs)].map(([, text]) => text!);
    expect(examples.length).toBeGreaterThan(2);
    for (const text of examples) expect([text, isSound(text)]).toEqual([text, isSound(text).map(() => true)]);
  });

  it.each([
    ['kind: watcher\nchips: [a]\nmin_severity: 50', true],
    ['kind: watcher\nchips: [a]\nmin_severity: ${SEVERITY}', true],
    ['kind: watcher\nchips: [a]\nmin_severity: high', false],
    ['kind: watcher\nchips: [a]\nalgorithm: above', false],
    ['kind: watcher\ntype: threshold\nchips: [a]\nalgorithm: above\nvalue: 5', true],
    ['kind: watcher\ntype: threshold\nchips: [a]\nalgorithm: beyond\nvalue: 5', false],
    ['kind: watcher\nname: without chips', false],
    ['kind: watcher\nchips: [a]\nemail_users: [ann@example.org, 7, "${ONCALL}"]', true],
    ['kind: integration\nservice: webhook\nurl: https://example.org\nsecret: ${WEBHOOK_SECRET}', true],
    ['kind: integration\nservice: webhook\nsecret: in clear', false],
    ['kind: integration\nservice: sms\nurl: https://example.org', false],
    ['kind: integration\nurl: https://example.org', false],
    ['- kind: admin_alert\n  code: no_data\n- kind: tuning\n  chips: [a]\n  period_seconds: null', true],
    ['kind: source\nname: x', false],
    ['name: without kind', false],
  ])('accepts or rejects like the service: %j', (text, wanted) => {
    expect(isSound(text)).toEqual([wanted]);
  });
});
