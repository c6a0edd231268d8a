import { Ajv, type ValidateFunction } from 'ajv';

/**
 * The parts of Block Kit that a bot may post, with the limits of the public reference. Unknown members are rejected, as
 * by the service.
 */
const plainText = (maxLength: number) => ({
  type: 'object',
  required: ['type', 'text'],
  additionalProperties: false,
  properties: {
    type: { const: 'plain_text' },
    text: { type: 'string', minLength: 1, maxLength },
    emoji: { type: 'boolean' },
  },
});
const markdown = (maxLength: number) => ({
  type: 'object',
  required: ['type', 'text'],
  additionalProperties: false,
  properties: {
    type: { const: 'mrkdwn' },
    text: { type: 'string', minLength: 1, maxLength },
    verbatim: { type: 'boolean' },
  },
});
const anyText = (maxLength: number) => ({ anyOf: [plainText(maxLength), markdown(maxLength)] });
const blockId = { type: 'string', maxLength: 255 };

const BUTTON = {
  type: 'object',
  required: ['type', 'text'],
  additionalProperties: false,
  properties: {
    type: { const: 'button' },
    text: plainText(75),
    action_id: { type: 'string', minLength: 1, maxLength: 255 },
    url: { type: 'string', pattern: '^https?://', maxLength: 3000 },
    value: { type: 'string', maxLength: 2000 },
    style: { enum: ['primary', 'danger'] },
    accessibility_label: { type: 'string', maxLength: 75 },
  },
};

const block = (type: string, required: string[], properties: Record<string, unknown>) => ({
  type: 'object',
  required: ['type', ...required],
  additionalProperties: false,
  properties: { type: { const: type }, block_id: blockId, ...properties },
});

const BLOCKS = {
  header: block('header', ['text'], { text: plainText(150) }),
  section: {
    ...block('section', [], {
      text: anyText(3000),
      fields: { type: 'array', minItems: 1, maxItems: 10, items: anyText(2000) },
      expand: { type: 'boolean' },
    }),
    anyOf: [{ required: ['text'] }, { required: ['fields'] }],
  },
  context: block('context', ['elements'], {
    elements: { type: 'array', minItems: 1, maxItems: 10, items: anyText(2000) },
  }),
  actions: block('actions', ['elements'], { elements: { type: 'array', minItems: 1, maxItems: 25, items: BUTTON } }),
  divider: block('divider', [], {}),
};

const MAX_BLOCKS = 50;
const ajv = new Ajv({ allErrors: true, strict: true, strictRequired: false, strictTypes: false });
const checks = new Map<string, ValidateFunction>(
  Object.entries(BLOCKS).map(([type, schema]) => [type, ajv.compile(schema)]),
);

/** Problems of the blocks of a message; empty without any. */
export function blockProblems(blocks: unknown): string[] {
  if (!Array.isArray(blocks) || blocks.length > MAX_BLOCKS) return [`must be at most ${String(MAX_BLOCKS)} blocks`];
  const problems = blocks.flatMap((item: { type?: unknown }, at) => {
    const check = checks.get(String(item.type));
    if (check === undefined) return [`/${String(at)}: unsupported type ${String(item.type)}`];
    return check(item) ? [] : [`/${String(at)}: ${ajv.errorsText(check.errors)}`];
  });
  const actionIds = blocks.flatMap((item: { type: string; elements?: { action_id?: string }[] }) =>
    item.type === 'actions' ? (item.elements ?? []).map(({ action_id: id }) => id) : [],
  );
  if (new Set(actionIds).size < actionIds.length) problems.push('action_id is used twice');
  return problems;
}
