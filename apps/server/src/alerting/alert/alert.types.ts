import {
  type AlertChannel,
  type AlertContent,
  type AlertKind,
  type AlertPhase,
  type Destination,
  type Suppression,
} from '#libs/alerting';
import { type DeliveryState } from '../../analysis/alert-history/delivery-state.types.js';

export type { DeliveryState };

export type AlertState = 'open' | 'closed';

/** A metric, and an anomaly of it (null: a threshold), that an alert is about. */
export interface AlertSubject {
  metricId: number;
  anomalyId: number | null;
}

/** A message to send. */
export interface AlertToSend {
  orgId: number;
  /** The subject, the same for all messages about it, such as `incident/41`; at most 200 characters. */
  key: string;
  kind: AlertKind;
  phase: AlertPhase;
  content: AlertContent;
  /** For `acknowledged` and `recovered`: those of them to which `opened` was sent. */
  destinations: readonly Destination[];
  watcherId: number | null;
  watcherName: string | null;
  anomalyId: number | null;
  incidentId: number | null;
  metricId: number | null;
  /** Seconds before which nothing is sent; default 0. */
  holdSeconds?: number;
  /** False: a part of an alert that already counts, in a separate message. Default true. */
  counts?: boolean;
  /** All its subjects, if these are more than the items of the content; earlier ones stay. */
  subjects?: readonly AlertSubject[];
  /**
   * Sends another message even if the channel cannot change the sent one. Default: if the destination did not get the
   * phase yet.
   */
  needsNewMessage?: boolean;
}

/** An action on one alert: see AlertOutboxService for each. */
export type OutboxStep =
  | { type: 'enqueue'; alert: AlertToSend }
  | { type: 'suppress'; alert: AlertToSend; reason: Suppression }
  | { type: 'silence'; key: string; reason: Suppression };

/** An action at a moment of the past, Unix seconds. */
export interface PastStep {
  at: number;
  step: OutboxStep;
}

/** A message that is about to be sent. */
export interface OutgoingMessage {
  orgId: number;
  kind: AlertKind;
  phase: AlertPhase;
  watcherId: number | null;
  /** The subject is over, and this recipient will not be notified of that. */
  isOver: boolean;
}

/** Whether it should still be sent. `wait`: not before a moment (Unix seconds), at which this is checked again. */
export type SendDecision =
  { type: 'send' } | { type: 'suppress'; reason: Suppression } | { type: 'wait'; until: number };

/** State of a destination, for its organisation: `reason` is for people, without secrets and addresses. */
export interface DeliveryTrouble {
  orgId: number;
  channel: AlertChannel;
  /** The last message that was given up, or null: the destination works again. */
  reason: string | null;
  /** Unix seconds. */
  at: number;
}

/** Which deliveries to return. */
export type DeliveryFilter =
  | { anomalyId: number }
  | { watcherId: number }
  | { ids: readonly number[] }
  | { alertId: number }
  /** `failed`: messages that were given up; `retrying`: messages that wait for another try. */
  | { states: readonly DeliveryState[] };

/** The outcome of a message so far. */
export interface DeliveryOutcome {
  destination: Pick<Destination, 'channel' | 'recipient'>;
  state: DeliveryState;
  /** Why the last try failed. */
  message: string;
}

/** Number of alerts: each counts once, however many recipients and messages it has. */
export interface AlertCounts {
  last24h: number;
  last7d: number;
  suppressed7d: number;
}

/** Retention of messages. */
export const ALERTS_KEPT_DAYS = 90;

/** Channel of the notifications that a message was queued. */
export const ALERT_DELIVERY_CHANNEL = 'plumbline_alerts';
