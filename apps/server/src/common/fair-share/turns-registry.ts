import { Injectable } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import { MetricsRegistry } from '../telemetry/metrics.js';
import { Turns, type TurnsOptions } from './turns.js';

/** The queues with turns of this process, and their figures on the management port. */
@Injectable()
export class TurnsRegistry {
  private readonly queues = new Map<string, Turns>();

  /** The figures name queues and outcomes; the organisation with the longest queue is seen by its length only. */
  constructor(metrics: MetricsRegistry) {
    const { queues } = this;
    const registers = [metrics.prometheus];
    new Gauge({
      name: 'plumbline_turns_waiting',
      help: 'Pieces of work that wait for their turn',
      labelNames: ['queue'],
      registers,
      collect() {
        for (const [queue, turns] of queues) this.set({ queue }, turns.waiting);
      },
    });
    new Gauge({
      name: 'plumbline_turns_longest_queue',
      help: 'Pieces of work that wait, of the organisation with most of them',
      labelNames: ['queue'],
      registers,
      collect() {
        for (const [queue, turns] of queues) this.set({ queue }, turns.longestQueue);
      },
    });
    new Counter({
      name: 'plumbline_turns_total',
      help: 'Pieces of work that had their turn (begun), or had none: too much of one organisation waited (party_full), too much of all (full), the client had gone (gone)',
      labelNames: ['queue', 'outcome'],
      registers,
      collect() {
        this.reset();
        for (const [queue, { counts }] of queues) {
          this.inc({ queue, outcome: 'begun' }, counts.begun);
          this.inc({ queue, outcome: 'party_full' }, counts.partyFull);
          this.inc({ queue, outcome: 'full' }, counts.full);
          this.inc({ queue, outcome: 'gone' }, counts.gone);
        }
      },
    });
  }

  /** @param name as in the label `queue` */
  open(name: string, options: TurnsOptions): Turns {
    const turns = new Turns(options);
    this.queues.set(name, turns);
    return turns;
  }
}
