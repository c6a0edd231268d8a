import { type SchemaObject } from '@nestjs/swagger';
import { STREAM_EVENT_TYPES, type StreamEventType } from '#libs/contracts';

type Members = Readonly<Record<string, Reference | SchemaObject>>;
interface Reference {
  $ref: string;
}

/** Records of other areas, which their own calls describe. */
const record = (name: string): Reference => ({ $ref: `#/components/schemas/${name}` });

/** Members of the event of a subject, except its time and organisation; the subject is the first word of its type. */
const MEMBERS_OF: Readonly<Record<string, Members>> = {
  anomaly: { anomaly: record('AnomalyDto') },
  incident: { incident: record('IncidentDto') },
  match: { match: record('MatchDto') },
  pattern: { pattern: record('PatternDto') },
  alert: { alert: record('AlertDeliveryDto') },
  threshold: {
    watcher: {
      type: 'object',
      description: 'The watcher of the threshold',
      required: ['id', 'name'],
      properties: {
        id: { type: 'integer', description: 'Id of the watcher' },
        name: { type: 'string', description: 'Name of the watcher' },
      },
    },
    metric: { type: 'string', description: 'Name of the metric with its labels' },
    metric_id: { type: 'integer', description: 'Id of the metric' },
    value: { type: 'number', description: 'Value of the point that decided; of `no_data` seconds of silence' },
    threshold: { type: 'number', description: 'The threshold that it passed' },
  },
  progress: { progress: record('ProgressDto') },
  org: { org: record('OrgDto') },
};

const REASON: Members = {
  reason: { type: 'string', description: 'Why: the stream ends, or the client has to load everything again' },
};

/** Events about the stream itself: they have no id, because a client cannot resume after them. */
const OF_STREAM = ['resync', 'end'] as const;

/** The events of the stream: `event` and `data` as clients receive them, `data` parsed as JSON. */
export const STREAM_EVENTS_SCHEMA: SchemaObject = {
  description: 'Each event of the stream is one of these; `data` is one line of JSON.',
  oneOf: [...STREAM_EVENT_TYPES.map(ofType), ...OF_STREAM.map((type) => event(type, REASON))],
};

function ofType(type: StreamEventType): SchemaObject {
  return event(type, MEMBERS_OF[type.split('.', 1)[0]!]!, true);
}

function event(type: string, members: Members, hasId = false): SchemaObject {
  const id: SchemaObject = { type: 'string', description: 'Rises within the organisation; for `Last-Event-ID`' };
  return {
    title: type,
    type: 'object',
    required: [...(hasId ? ['id'] : []), 'event', 'data'],
    properties: {
      ...(hasId ? { id } : {}),
      event: { type: 'string', enum: [type], description: 'Type of the event' },
      data: {
        type: 'object',
        description: 'What has happened',
        required: ['timestamp', 'org_id', ...Object.keys(members)],
        properties: {
          timestamp: { type: 'integer', format: 'int64', description: 'When it happened, Unix seconds' },
          org_id: { type: 'integer', description: 'Id of the organisation' },
          ...members,
        },
      },
    },
  };
}
