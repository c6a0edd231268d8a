import { Injectable } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import { MetricsRegistry } from '../telemetry/metrics.js';
import { byOrg } from './org-figures.js';
import { type PartyUse, FairQueue, type FairQueueOptions } from './fair-queue.js';

/** Organisations of a queue that have separate figures. */
const SHOWN = 10;

/** The fair queues of this process, with their figures on the management port. */
@Injectable()
export class FairQueueRegistry {
  private readonly queues = new Map<string, FairQueue>();

  /** Figures of queues and outcomes, and of the organisations that use most of each queue. */
  constructor(metrics: MetricsRegistry) {
    const { queues } = this;
    const registers = [metrics.prometheus];
    new Gauge({
      name: 'plumbline_turns_waiting',
      help: 'Tasks that wait for their turn',
      labelNames: ['queue'],
      registers,
      collect() {
        for (const [queue, turns] of queues) this.set({ queue }, turns.waiting);
      },
    });
    new Gauge({
      name: 'plumbline_turns_longest_queue',
      help: 'Tasks that wait, of the organisation with most of them',
      labelNames: ['queue'],
      registers,
      collect() {
        for (const [queue, turns] of queues) this.set({ queue }, turns.longestQueue);
      },
    });
    new Counter({
      name: 'plumbline_turns_total',
      help: 'Tasks that ran (begun) or were refused: too many of one organisation waited (party_full), too many in all (full), the client had disconnected (gone)',
      labelNames: ['queue', 'outcome'],
      registers,
      collect() {
        this.reset();
        for (const [queue, { counts }] of queues) {
          this.inc({ queue, outcome: 'begun' }, counts.started);
          this.inc({ queue, outcome: 'party_full' }, counts.partyFull);
          this.inc({ queue, outcome: 'full' }, counts.full);
          this.inc({ queue, outcome: 'gone' }, counts.gone);
        }
      },
    });
    this.registerOrgs(metrics);
  }

  private registerOrgs(metrics: MetricsRegistry): void {
    const { queues } = this;
    const registers = [metrics.prometheus];
    const labelNames = ['queue', 'org'] as const;
    const of =
      'the organisations that use most of the queue, and of all `other` (addresses without credential are there)';
    new Gauge({
      name: 'plumbline_turns_org_running',
      help: `Tasks under way, of ${of}`,
      labelNames,
      registers,
      collect() {
        this.reset();
        for (const [queue, turns] of queues) {
          for (const [org, n] of figuresOf(turns, 'running', turns.runningCount)) this.set({ queue, org }, n);
        }
      },
    });
    new Gauge({
      name: 'plumbline_turns_org_waiting',
      help: `Tasks that wait for their turn, of ${of}`,
      labelNames,
      registers,
      collect() {
        this.reset();
        for (const [queue, turns] of queues) {
          for (const [org, n] of figuresOf(turns, 'waiting', turns.waiting)) this.set({ queue, org }, n);
        }
      },
    });
    new Counter({
      name: 'plumbline_turns_org_refused_total',
      help: `Tasks refused because too much waited, of ${of}`,
      labelNames,
      registers,
      collect() {
        this.reset();
        for (const [queue, turns] of queues) {
          const total = turns.counts.partyFull + turns.counts.full;
          for (const [org, n] of figuresOf(turns, 'refused', total)) this.inc({ queue, org }, n);
        }
      },
    });
  }

  /** @param name as in the label `queue` */
  open(name: string, options: FairQueueOptions): FairQueue {
    const turns = new FairQueue(options);
    this.queues.set(name, turns);
    return turns;
  }
}

/** A figure of the largest users, by organisation. */
const figuresOf = (
  turns: FairQueue,
  figure: keyof Omit<PartyUse, 'party'>,
  total: number,
): [org: string, value: number][] =>
  byOrg(
    turns.largestUsers(SHOWN).map((use) => [use.party, use[figure]]),
    total,
  );
