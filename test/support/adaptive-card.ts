import { Ajv } from 'ajv';

/**
 * The part of the public schema of adaptive cards (1.4) that messages use. Unknown members and values are rejected
 * here, although the service would ignore them.
 */
const SPACING = { enum: ['none', 'small', 'default', 'medium', 'large', 'extraLarge', 'padding'] };
const COLOR = { enum: ['default', 'dark', 'light', 'accent', 'good', 'warning', 'attention'] };
const SIZE = { enum: ['default', 'small', 'medium', 'large', 'extraLarge'] };
const WEIGHT = { enum: ['default', 'lighter', 'bolder'] };
const ALIGNMENT = { enum: ['left', 'center', 'right'] };
const WEB = { type: 'string', pattern: '^https?://', maxLength: 4000 };

const object = (type: string, required: string[], properties: Record<string, unknown>) => ({
  type: 'object',
  required: ['type', ...required],
  additionalProperties: false,
  properties: { type: { const: type }, ...properties },
});

/** Members that every element may have. */
const COMMON = {
  id: { type: 'string' },
  isVisible: { type: 'boolean' },
  separator: { type: 'boolean' },
  spacing: SPACING,
  height: { enum: ['auto', 'stretch'] },
  fallback: {},
};

const OPEN_URL = {
  iconUrl: WEB,
  id: { type: 'string' },
  style: { enum: ['default', 'positive', 'destructive'] },
  tooltip: { type: 'string' },
  isEnabled: { type: 'boolean' },
  url: WEB,
};

const TEXT = { type: 'string', minLength: 1 };

const SCHEMA = {
  $id: 'card',
  ...object('AdaptiveCard', ['version', 'body'], {
    $schema: { const: 'http://adaptivecards.io/schemas/adaptive-card.json' },
    version: { const: '1.4' },
    fallbackText: TEXT,
    speak: { type: 'string' },
    lang: { type: 'string' },
    // A member specific to Teams.
    msteams: { type: 'object', additionalProperties: false, properties: { width: { const: 'Full' } } },
    body: { type: 'array', minItems: 1, items: { $ref: '#/definitions/element' } },
    // Teams shows at most six actions.
    actions: {
      type: 'array',
      maxItems: 6,
      items: object('Action.OpenUrl', ['url', 'title'], { ...OPEN_URL, title: TEXT }),
    },
  }),
  definitions: {
    element: {
      type: 'object',
      required: ['type'],
      discriminator: { propertyName: 'type' },
      oneOf: [
        object('TextBlock', ['text'], {
          ...COMMON,
          text: TEXT,
          color: COLOR,
          size: SIZE,
          weight: WEIGHT,
          isSubtle: { type: 'boolean' },
          wrap: { type: 'boolean' },
          maxLines: { type: 'integer', minimum: 1 },
          horizontalAlignment: ALIGNMENT,
        }),
        object('RichTextBlock', ['inlines'], {
          ...COMMON,
          horizontalAlignment: ALIGNMENT,
          inlines: { type: 'array', minItems: 1, items: { $ref: '#/definitions/run' } },
        }),
        object('Image', ['url'], {
          ...COMMON,
          url: { type: 'string', pattern: '^(https://|data:image/(png|jpeg|gif);base64,[A-Za-z0-9+/]+=*$)' },
          altText: TEXT,
          size: { enum: ['auto', 'stretch', 'small', 'medium', 'large'] },
          horizontalAlignment: ALIGNMENT,
        }),
        object('Container', ['items'], {
          ...COMMON,
          style: { enum: ['default', 'emphasis', 'good', 'attention', 'warning', 'accent'] },
          bleed: { type: 'boolean' },
          items: { type: 'array', minItems: 1, items: { $ref: '#/definitions/element' } },
        }),
        object('FactSet', ['facts'], {
          ...COMMON,
          facts: {
            type: 'array',
            minItems: 1,
            items: {
              type: 'object',
              required: ['title', 'value'],
              additionalProperties: false,
              properties: { title: TEXT, value: TEXT },
            },
          },
        }),
      ],
    },
    run: object('TextRun', ['text'], {
      text: TEXT,
      color: COLOR,
      size: SIZE,
      weight: WEIGHT,
      isSubtle: { type: 'boolean' },
      italic: { type: 'boolean' },
      strikethrough: { type: 'boolean' },
      underline: { type: 'boolean' },
      highlight: { type: 'boolean' },
      fontType: { enum: ['default', 'monospace'] },
      selectAction: object('Action.OpenUrl', ['url'], OPEN_URL),
    }),
  },
};

const MESSAGE = {
  type: 'object',
  required: ['type', 'attachments'],
  additionalProperties: false,
  properties: {
    type: { const: 'message' },
    attachments: {
      type: 'array',
      minItems: 1,
      maxItems: 1,
      items: {
        type: 'object',
        required: ['contentType', 'content'],
        additionalProperties: false,
        properties: {
          contentType: { const: 'application/vnd.microsoft.card.adaptive' },
          contentUrl: { type: 'null' },
          content: { $ref: 'card' },
        },
      },
    },
  },
};

const ajv = new Ajv({ allErrors: true, discriminator: true, strict: true, strictRequired: false, strictTypes: false });
ajv.addSchema(SCHEMA);
const check = ajv.compile(MESSAGE);

/** Problems of a message for a workflow; empty without any. */
export function cardProblems(message: unknown): string[] {
  return check(message)
    ? []
    : (check.errors ?? []).map(({ instancePath, message: what = '' }) => `${instancePath}: ${what}`);
}
