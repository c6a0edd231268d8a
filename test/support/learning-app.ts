import { AnomalyModule } from '../../apps/server/src/analysis/anomaly/anomaly.module.js';
import { DetectionTicksService } from '../../apps/server/src/analysis/detection/detection-ticks.service.js';
import { DetectionModule } from '../../apps/server/src/analysis/detection/detection.module.js';
import { MatchModule } from '../../apps/server/src/teaching/match/match.module.js';
import { PatternModule } from '../../apps/server/src/analysis/pattern/pattern.module.js';
import { TrainingModule } from '../../apps/server/src/teaching/training/training.module.js';
import { IngestModule } from '../../apps/server/src/data/ingest/ingest.module.js';
import { AreaApp, type AreaAppOptions } from './area-app.js';
import { HandClock } from './hand-clock.js';

/** The path of a point up to its verdict, with the areas in which the product learns what is normal. */
export class LearningApp extends AreaApp {
  static async create({ env, clock = new HandClock(), ...options }: AreaAppOptions = {}): Promise<LearningApp> {
    const areas = [IngestModule, DetectionModule, AnomalyModule, MatchModule, PatternModule, TrainingModule];
    const atOnce = { PLUMBLINE_DETECTION_GATHER_MS: '0', PLUMBLINE_PROGRESS_SECONDS: '0', ...env };
    const app = new LearningApp(await this.start(areas, { ...options, env: atOnce, clock }), clock);
    // A test sends whole days together: a tick between two of them would detect a day without data.
    await app.byHand(DetectionTicksService);
    return app;
  }
}
