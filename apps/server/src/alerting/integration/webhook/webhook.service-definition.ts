import { randomBytes } from 'node:crypto';
import { DAY } from '../../../common/time.js';
import { defineChannelService } from '../define-service.js';
import { type SettingsChange, type StoredValues } from '../service-definition.types.js';
import { choice, flag, optionalSecret, requiredUrl, texts } from '../service-fields.js';

export const ANOMALY_EVENTS = ['anomaly.opened', 'anomaly.updated', 'anomaly.closed'] as const;
export const INCIDENT_EVENTS = ['incident.opened', 'incident.updated', 'incident.closed'] as const;

/** Events that can be chosen; all others, such as a test, are always sent. */
export const WEBHOOK_EVENTS = [
  ...ANOMALY_EVENTS,
  ...INCIDENT_EVENTS,
  'threshold.breached',
  'threshold.recovered',
  'admin.raised',
  'admin.recovered',
] as const;

/** Format of the body: that of the product, or the one for receivers of Alertmanager. */
export const WEBHOOK_PAYLOADS = ['plumbline', 'alertmanager'] as const;

export const WEBHOOK = defineChannelService({
  id: 'webhook',
  name: 'Webhook',
  provider: 'Standard Webhooks',
  description: 'Alerts as signed JSON for your own program.',
  orgFields: {
    url: requiredUrl({ label: 'Address', help: 'Where requests are sent to by POST.' }),
    secret: optionalSecret(
      {
        label: 'Signing secret',
        help: 'Begins with whsec_. If you leave it empty, one is generated and shown once. The previous one stays valid for 24 hours, unless the address changes.',
      },
      {
        max: 100,
        pattern: /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/,
        says: 'must be whsec_ and 24 to 64 bytes in Base64',
      },
    ),
    events: texts(
      { label: 'Events', help: 'Which events are sent. A test is always sent.' },
      { options: WEBHOOK_EVENTS, max: WEBHOOK_EVENTS.length, standard: WEBHOOK_EVENTS },
    ),
    payload: choice(
      {
        label: 'Body',
        help: 'plumbline: records of this service. alertmanager: version 4 of the webhook of Alertmanager.',
      },
      WEBHOOK_PAYLOADS,
      'plumbline',
    ),
    enabled: flag({ label: 'Enabled', help: 'Switched off automatically when the receiver answers 410.' }, true),
  },
  userFields: {},
  ownSecrets: ['previous_secret'],
  generatedSecrets: ['secret'],
  complement: rotated,
  isSwitchedOff: ({ enabled }) => enabled === false,
  guide: () => ({
    instructions: [
      'Each request is signed as [Standard Webhooks](https://www.standardwebhooks.com) says: `webhook-id`, `webhook-timestamp` and',
      '`webhook-signature`, an HMAC-SHA256 over id, time and body. Verify the signature, refuse times that are more than five',
      'minutes away, answer 2xx within 10 seconds, and ignore an id that you have seen before.',
    ].join(' '),
    snippets: [
      {
        title: 'Verify in Node.js',
        language: 'javascript',
        code: [
          "import { Webhook } from 'standardwebhooks';",
          '',
          'const event = new Webhook(process.env.WEBHOOK_SECRET).verify(body, request.headers);',
        ].join('\n'),
      },
      {
        title: 'Verify in Python',
        language: 'python',
        code: [
          'from standardwebhooks.webhooks import Webhook',
          '',
          'event = Webhook(os.environ["WEBHOOK_SECRET"]).verify(body, headers)',
        ].join('\n'),
      },
    ],
  }),
});

const SECRET_BYTES = 32;
/** How long messages are also signed with the previous secret. */
const ROTATION_SECONDS = DAY;

/**
 * A webhook without secret gets one, shown only this time; at the same address the previous one stays valid for a day.
 */
function rotated({ before, after, now }: SettingsChange): { values: StoredValues; shown: readonly string[] } {
  if (after.url === undefined) return { values: after, shown: [] };
  const isGenerated = after.secret === undefined;
  const secret = after.secret ?? `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
  const shown = isGenerated ? ['secret'] : [];
  // Another receiver gets nothing that is signed with the previous secret.
  const isElsewhere = after.url !== before.url;
  if (isElsewhere || before.secret === undefined || before.secret === secret)
    return { values: { ...after, secret }, shown };
  const previous = { previous_secret: before.secret, previous_secret_until: now + ROTATION_SECONDS };
  return { values: { ...after, secret, ...previous }, shown };
}
