import { type Form, type PageContent } from './page.types.js';

/** Row ids only: nothing else is inserted into a page. */
const PLACE = /^\/(anomaly|incident)\/([1-9]\d{0,17})$/;
const ID = /^[1-9]\d{0,17}$/;

/**
 * The pages that alerts link to: to acknowledge an anomaly or the whole incident, or to train it. Null for any other
 * path.
 */
export function alertPageOf(path: string, parameters: URLSearchParams, apiUrl: string): PageContent | null {
  const [, kind, id] = PLACE.exec(path) ?? [];
  if (kind === undefined || id === undefined) return null;
  const isIncident = kind === 'incident';
  const given = parameters.get('anomaly_id') ?? '';
  const anomalyId = isIncident ? (ID.test(given) ? given : null) : id;
  const title = `${isIncident ? 'Incident' : 'Anomaly'} ${id}`;
  const paragraphs = [
    'What you do here is done under your account: log in first, in this browser.',
    `All there is to know about it: GET ${apiUrl}${isIncident ? `/incidents/${id}` : `/anomaly/${id}`}`,
  ];
  const forms = anomalyId === null ? [] : [acknowledgeForm(anomalyId, isIncident), trainForm(anomalyId, isIncident)];
  return { title, paragraphs, links: [{ label: 'Log in', url: '/login' }], forms, apiUrl, isStart: false };
}

function acknowledgeForm(anomalyId: string, isIncident: boolean): Form {
  return {
    title: 'You have seen it',
    action: `/anomaly/${anomalyId}/acknowledge`,
    fields: [{ name: 'incident', label: '', type: 'hidden', value: String(isIncident) }],
    button: isIncident ? 'Acknowledge all of the incident' : 'Acknowledge',
    done: 'It is acknowledged: no further alerts until it has ended.',
    onlyForTerminal: ['session_id'],
  };
}

function trainForm(anomalyId: string, isIncident: boolean): Form {
  return {
    title: isIncident ? `The worst of it, anomaly ${anomalyId}, is expected` : 'It is expected',
    action: '/anomaly/train',
    fields: [{ name: 'anomaly_id', label: '', type: 'hidden', value: anomalyId }],
    button: 'Train it',
    done: 'It is trained: what looks like it does not alert any more.',
    onlyForTerminal: ['session_id'],
  };
}
