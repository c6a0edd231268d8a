import { ALERTMANAGER } from './alertmanager/alertmanager.service-definition.js';
import { CHAT } from './chat/chat.service-definition.js';
import { DASHBOARD } from './dashboard/dashboard.service-definition.js';
import { EMAIL } from './email/email.service-definition.js';
import { CSV } from './ingest/csv.service-definition.js';
import { GRAPHITE } from './ingest/graphite.service-definition.js';
import { HTTP } from './ingest/http.service-definition.js';
import { INFLUX } from './ingest/influx.service-definition.js';
import { OPENTELEMETRY } from './ingest/opentelemetry.service-definition.js';
import { PROMETHEUS } from './ingest/prometheus.service-definition.js';
import { PAGERDUTY } from './pagerduty/pagerduty.service-definition.js';
import { PAYMENT } from './payment/payment.service-definition.js';
import { type SettingsOf } from './service-definition.types.js';
import { SMS } from './sms/sms.service-definition.js';
import { TEAMS_CHAT } from './teams-chat/teams-chat.service-definition.js';
import { WEBHOOK } from './webhook/webhook.service-definition.js';

/** Every service, in the order of lists. */
export const SERVICES = [
  EMAIL,
  CHAT,
  TEAMS_CHAT,
  SMS,
  PAGERDUTY,
  ALERTMANAGER,
  WEBHOOK,
  HTTP,
  CSV,
  PROMETHEUS,
  OPENTELEMETRY,
  INFLUX,
  GRAPHITE,
  DASHBOARD,
  PAYMENT,
] as const;

type Known = (typeof SERVICES)[number];

export type ServiceId = Known['id'];

/** Values of the organisation by service, secrets opened, defaults filled in. */
export type ServiceSettings = { readonly [D in Known as D['id']]: SettingsOf<D> };
