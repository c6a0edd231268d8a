/**
 * The sender, in a separate process. Builds its bodies, sends `ready`, and after `go` sends them over keep-alive
 * connections. Every connection has separate bodies, so the points of a series arrive in order. Only acknowledged
 * points count. Messages to the parent: ready, progress (each second), done, failed.
 */
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { buildVariants, random } from './bodies.mjs';
import { quantiles } from './quantiles.mjs';

/** Maximum number of request times that are stored for quantiles. */
const MAX_LATENCIES = 200_000;
/** After this many consecutive answers without success, the server is considered broken and not slow. */
const MAX_FAILURES = 20;
const now = () => performance.timeOrigin + performance.now();

/** @param plan see `startLoader` in loader.mjs */
function prepare(plan) {
  const bodies = [];
  const end = plan.firstSeries + plan.series;
  for (let first = plan.firstSeries; first < end; first += plan.bodyPoints) {
    const points = Math.min(plan.bodyPoints, end - first);
    bodies.push({ first, points, variants: buildVariants({ ...plan, first, points }), rounds: 0 });
  }
  return Array.from({ length: plan.connections }, (_, connection) => ({
    agent: new Agent({ keepAlive: true, maxSockets: 1 }),
    bodies: bodies.filter((_body, index) => index % plan.connections === connection),
    next: random(plan.seed + 1000 + connection),
  }));
}

function post(plan, agent, bytes) {
  return new Promise((resolve, reject) => {
    const sent = request(
      plan.url,
      { method: 'POST', agent, headers: { ...plan.headers, 'Content-Length': bytes.length } },
      (answer) => {
        let text = '';
        answer.setEncoding('latin1');
        answer.on('data', (chunk) => (text.length < 2000 ? (text += chunk) : undefined));
        answer.once('end', () => resolve({ status: answer.statusCode, headers: answer.headers, text }));
        answer.once('error', reject);
      },
    );
    sent.once('error', reject);
    sent.end(bytes);
  });
}

class Sender {
  constructor(plan) {
    this.plan = plan;
    this.lanes = prepare(plan);
    this.counts = { acknowledged: 0, requests: 0, busy: 0, failures: 0, waitedMs: 0 };
    this.latencies = [];
    this.isOver = false;
  }

  async run() {
    const began = now();
    this.deadline = this.plan.seconds === null ? Infinity : began + 1000 * this.plan.seconds;
    this.began = began;
    const report = setInterval(() => process.send({ type: 'progress', at: now(), ...this.counts }), 1000);
    await Promise.all(this.lanes.map((lane) => this.sendLane(lane)));
    clearInterval(report);
    const ended = now();
    const { user, system } = process.cpuUsage();
    process.send({
      type: 'done',
      began,
      ended,
      ...this.counts,
      rounds: this.lanes
        .flatMap(({ bodies }) => bodies)
        .sort((one, other) => one.first - other.first)
        .map(({ first, points, rounds }) => ({ first, points, rounds })),
      latencies: quantiles(this.latencies),
      cpuSeconds: (user + system) / 1e6,
    });
  }

  async sendLane(lane) {
    // Fewer bodies than connections: nothing to send on this one.
    if (lane.bodies.length === 0) return;
    for (let round = 0; round < this.plan.maxRounds; round++) {
      for (const body of lane.bodies) {
        if (this.plan.pointsPerSecond !== null) await this.keepPace();
        if (this.isOver || now() >= this.deadline) return;
        const variant = body.variants[Math.floor(lane.next() * body.variants.length)];
        const { firstTimestamp, step } = this.plan;
        const stamp = firstTimestamp === null ? Math.floor(now() / 1000) : firstTimestamp + round * step;
        if (!(await this.deliver(lane, variant.stamp(stamp)))) return;
        body.rounds++;
        this.counts.acknowledged += body.points;
      }
    }
  }

  /** Waits until the planned time of the points sent so far. */
  async keepPace() {
    const sendAt = this.began + (1000 * this.counts.acknowledged) / this.plan.pointsPerSecond;
    const wait = sendAt - now();
    if (wait > 0) await pause(wait);
  }

  /** Sends until the body is acknowledged; false if the run ended before. */
  async deliver(lane, bytes) {
    for (let failures = 0; ;) {
      const sentAt = now();
      const answer = await post(this.plan, lane.agent, bytes).catch((error) => ({
        status: 0,
        headers: {},
        text: error.message,
      }));
      this.counts.requests++;
      if (answer.status === 204 || answer.status === 200) {
        if (this.latencies.length < MAX_LATENCIES) this.latencies.push(now() - sentAt);
        return true;
      }
      const isBusy = answer.status === 429 || answer.status === 503;
      if (isBusy) this.counts.busy++;
      else if (++this.counts.failures && ++failures >= MAX_FAILURES) {
        throw new Error(`The server answers ${answer.status}: ${answer.text}`);
      }
      const wait = this.plan.retryMs ?? 1000 * Number(answer.headers['retry-after'] ?? 0.5);
      const left = this.deadline - now();
      this.counts.waitedMs += Math.min(wait, Math.max(0, left));
      await pause(Math.min(wait, Math.max(0, left)));
      if (this.isOver || now() >= this.deadline) return false;
    }
  }
}

let sender;
process.on('message', (message) => {
  if (message.type === 'plan') {
    sender = new Sender(message.plan);
    process.send({ type: 'ready' });
  } else if (message.type === 'go') {
    sender.run().then(
      () => process.disconnect(),
      (error) => {
        process.send({ type: 'failed', message: error.message }, () => process.exit(1));
      },
    );
  } else if (message.type === 'stop') {
    sender.isOver = true;
  }
});
process.on('disconnect', () => process.exit());
