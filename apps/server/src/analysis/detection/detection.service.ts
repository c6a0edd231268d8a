import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { setMaxListeners } from 'node:events';
import { type PointLog } from '#libs/point-log';
import { Clock } from '../../common/clock.js';
import { ServerConfig } from '../../common/config/server.config.js';
import { ComponentReports } from '../../common/telemetry/component-reports.js';
import { ReadinessRegistry } from '../../common/telemetry/readiness.js';
import { messageOf } from '../../common/errors/message-of.js';
import { dateOf } from '../../common/time.js';
import { POINT_LOG } from '../../platform/storage/storage.types.js';
import { DefinitionChanges } from './definition-changes.service.js';
import { DetectionCheckpointRepository } from './detection-checkpoint.repository.js';
import { DetectionConfig } from './detection.config.js';
import { DetectionEffects } from './detection-effects.service.js';
import { DetectionTelemetry } from './detection-telemetry.service.js';
import { PartitionConsumer } from './partition-consumer.js';
import { PartitionLocks } from './partition-locks.service.js';
import { pause } from './patience.js';
import { SeriesDirectory } from './series-directory.service.js';
import { ShardExecutor } from './shard-executor.js';

const TICK_SECONDS = 60;
const WATCH_SECONDS = 10;
const DEFINITIONS_SECONDS = 5;
/** A little longer than consumers wait for a database that is away. */
const STOP_PATIENCE_MS = 15_000;
/** A thread that hangs will not come to its end; the others get this long. */
const STUCK_PATIENCE_MS = 3000;
const NO_POINTS = { ids: new Uint32Array(0), timestamps: new Float64Array(0), values: new Float64Array(0) };

/** The `detect` role: a consumer per partition, the minute ticks, and the watch over both. */
@Injectable()
export class DetectionService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(DetectionService.name);
  private readonly stop = new AbortController();
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly reportedStuck = new Set<number>();
  private consumers: PartitionConsumer[] = [];
  private running: Promise<void>[] = [];
  private startedAt = 0;
  private isMovingDefinitions = false;

  constructor(
    @Inject(POINT_LOG) private readonly log: PointLog,
    private readonly executor: ShardExecutor,
    private readonly effects: DetectionEffects,
    private readonly directory: SeriesDirectory,
    private readonly checkpoints: DetectionCheckpointRepository,
    private readonly definitions: DefinitionChanges,
    private readonly locks: PartitionLocks,
    private readonly telemetry: DetectionTelemetry,
    private readonly readiness: ReadinessRegistry,
    private readonly components: ComponentReports,
    private readonly clock: Clock,
    private readonly config: DetectionConfig,
    private readonly server: ServerConfig,
  ) {}

  onApplicationBootstrap(): void {
    if (this.server.roles.includes('detect')) this.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
    this.stop.abort();
    const patience = new AbortController();
    const stopped = Promise.all(this.running).then(() => patience.abort());
    await pause(this.stuck().size > 0 ? STUCK_PATIENCE_MS : STOP_PATIENCE_MS, patience.signal);
    // Ends threads that hang, and with them the calls that consumers wait for.
    await this.executor.close();
    await stopped;
  }

  private start(): void {
    // Several waits of every partition end with this signal: that many listeners are no leak.
    setMaxListeners(0, this.stop.signal);
    const { log, executor, effects, directory, checkpoints, locks, telemetry, clock, config, logger } = this;
    const parts = { log, executor, effects, directory, checkpoints, locks, telemetry, clock, config, logger };
    this.startedAt = clock.now();
    this.consumers = Array.from({ length: log.partitions }, (_, partition) => new PartitionConsumer(partition, parts));
    this.running = this.consumers.map((consumer) => consumer.run(this.stop.signal));
    this.readiness.register('detection', () => this.check());
    this.components.register('analysis', () => {
      const message = this.check() ?? '';
      return { ok: true, ageSeconds: Math.round(this.telemetry.longestLagSeconds()), message };
    });
    this.timers.push(
      setInterval(() => void this.tick(), TICK_SECONDS * 1000),
      setInterval(() => this.watch(), WATCH_SECONDS * 1000),
      setInterval(() => void this.moveDefinitions(), DEFINITIONS_SECONDS * 1000),
    );
  }

  /** Time goes on in every partition once a minute, so that silence is seen. One process does it for all. */
  private async tick(): Promise<void> {
    const isDue = this.clock.now() - this.startedAt >= this.config.tickGraceSeconds;
    if (!isDue || !this.consumers[0]?.owns) return;
    try {
      await this.log.append(NO_POINTS, 'tick');
    } catch (error) {
      // The next minute has its own tick.
      this.logger.warn(`A tick could not be appended: ${messageOf(error)}`);
    }
  }

  /** Changes of metrics come to the shards by the log. One process sees to it for all. */
  private async moveDefinitions(): Promise<void> {
    if (this.isMovingDefinitions || !this.consumers[0]?.owns) return;
    this.isMovingDefinitions = true;
    try {
      await this.definitions.move();
    } catch (error) {
      this.logger.warn(`Changes of metrics could not be passed on: ${messageOf(error)}`);
    } finally {
      this.isMovingDefinitions = false;
    }
  }

  /** Partitions that the detector has been working on for longer than it may, and since when. */
  private stuck(): Map<number, number> {
    const stuck = new Map<number, number>();
    for (const { partition, detectingSince } of this.consumers) {
      const isStuck = detectingSince !== null && this.clock.now() - detectingSince > this.config.stuckSeconds;
      if (isStuck) stuck.set(partition, detectingSince);
    }
    return stuck;
  }

  private watch(): void {
    const stuck = this.stuck();
    for (const partition of this.reportedStuck) if (!stuck.has(partition)) this.reportedStuck.delete(partition);
    for (const [partition, since] of stuck) {
      if (this.reportedStuck.has(partition)) continue;
      this.reportedStuck.add(partition);
      this.logger.error(`Partition ${String(partition)} is stuck in the detector since ${isoTime(since)}`);
    }
    this.telemetry.stuck.set(stuck.size);
  }

  /** What is going on, if anything. Throws when detection does not do its work. */
  private check(): string | undefined {
    const stuck = [...this.stuck().keys()];
    if (stuck.length > 0) throw new Error(`partitions ${stuck.join(', ')} are stuck in the detector`);
    const lag = this.telemetry.longestLagSeconds();
    if (lag > this.config.maxLagSeconds) throw new Error(`detection is ${String(Math.round(lag))} s behind`);
    const behind = this.consumers.map(({ replayingBehindSeconds }) => replayingBehindSeconds ?? -1);
    const farthest = Math.max(-1, ...behind);
    return farthest < 0 ? undefined : `replaying, ${String(Math.round(farthest))} s behind`;
  }
}

const isoTime = (timestamp: number): string => dateOf(timestamp).toISOString();
