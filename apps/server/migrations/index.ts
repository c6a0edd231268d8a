import { type DatabaseSchema } from '../src/common/database/prepare-database.js';
import { FirstSchema1767225600000 } from './1767225600000-first-schema.js';
import { LabelKeysIgnoreCase1767830400000 } from './1767830400000-label-keys-ignore-case.js';
import { Benchmarks1768003200000 } from './1768003200000-benchmarks.js';
import { EventStream1768500000000 } from './1768500000000-event-stream.js';
import { Incidents1768500060000 } from './1768500060000-incidents.js';
import { Patterns1769040000000 } from './1769040000000-patterns.js';
import { Tunings1769212800000 } from './1769212800000-tunings.js';
import { DemoStories1769299200000 } from './1769299200000-demo-stories.js';
import { AnomalyVerdicts1769500000000 } from './1769500000000-anomaly-verdicts.js';
import { Alerts1770000000000 } from './1770000000000-alerts.js';
import { Watchers1770086400000 } from './1770086400000-watchers.js';
import { Thresholds1770090000000 } from './1770090000000-thresholds.js';
import { ThresholdChangesOnce1770090060000 } from './1770090060000-threshold-changes-once.js';
import { Integrations1770172800000 } from './1770172800000-integrations.js';
import { AlertPlans1770259200000 } from './1770259200000-alert-plans.js';
import { AdminAlerts1770345600000 } from './1770345600000-admin-alerts.js';
import { ChangesOfExclusions1770432000000 } from './1770432000000-changes-of-exclusions.js';
import { AlertSubjectsAsLists1770518400000 } from './1770518400000-alert-subjects-as-lists.js';
import { BreachesThatEndOtherwise1770518460000 } from './1770518460000-breaches-that-end-otherwise.js';
import { ReferencesToServers1770518520000 } from './1770518520000-references-to-servers.js';
import { ChangesAreNotified1770518580000 } from './1770518580000-changes-are-notified.js';
import { VerdictsOnMatches1770604800000 } from './1770604800000-verdicts-on-matches.js';
import { RarityOfAnomalies1770691200000 } from './1770691200000-rarity-of-anomalies.js';
import { AlertsThatCount1770691260000 } from './1770691260000-alerts-that-count.js';
import { DeletedTunings1770695820000 } from './1770695820000-deleted-tunings.js';
import { MetricsThatHoldHistory1770773460000 } from './1770773460000-metrics-that-hold-history.js';
import { AnomaliesMadeByVerdicts1770773520000 } from './1770773520000-anomalies-made-by-verdicts.js';
import { HowLongAnomaliesLast1770777660000 } from './1770777660000-how-long-anomalies-last.js';
import { HabitsOfPatterns1770781740000 } from './1770781740000-habits-of-patterns.js';
import { MetricsThatAreJudged1770785340000 } from './1770785340000-metrics-that-are-judged.js';
import { Sources1770788520000 } from './1770788520000-sources.js';
import { PointLogPlace1770791040000 } from './1770791040000-point-log-place.js';
import { ManyNewMetrics1770792600000 } from './1770792600000-many-new-metrics.js';
import { SourcesWrittenBackTo1770795360000 } from './1770795360000-sources-written-back-to.js';
import { PointsInOtherStores1770800640000 } from './1770800640000-points-in-other-stores.js';
import { DetectionMembers1770804240000 } from './1770804240000-detection-members.js';
import { LearntStateInObjects1770811440000 } from './1770811440000-learnt-state-in-objects.js';
import { CheaperSearchRows1770811560000 } from './1770811560000-cheaper-search-rows.js';
import { SearchRowsBehind1770811620000 } from './1770811620000-search-rows-behind.js';
import { IncidentsEndWithTheirLastSlot1770811980000 } from './1770811980000-incidents-end-with-their-last-slot.js';
import { PeaksInTitles1770815220000 } from './1770815220000-peaks-in-titles.js';
import { TitlesOfMessages1770815280000 } from './1770815280000-titles-of-messages.js';

/** Every migration, oldest first. */
export const MIGRATIONS = [
  // New ones are added at the end; those that are here never change (docs/decisions/0018-one-first-migration.md).
  FirstSchema1767225600000,
  LabelKeysIgnoreCase1767830400000,
  Benchmarks1768003200000,
  EventStream1768500000000,
  Incidents1768500060000,
  Patterns1769040000000,
  Tunings1769212800000,
  DemoStories1769299200000,
  AnomalyVerdicts1769500000000,
  Alerts1770000000000,
  Watchers1770086400000,
  Thresholds1770090000000,
  ThresholdChangesOnce1770090060000,
  Integrations1770172800000,
  AlertPlans1770259200000,
  AdminAlerts1770345600000,
  ChangesOfExclusions1770432000000,
  AlertSubjectsAsLists1770518400000,
  BreachesThatEndOtherwise1770518460000,
  ReferencesToServers1770518520000,
  ChangesAreNotified1770518580000,
  VerdictsOnMatches1770604800000,
  RarityOfAnomalies1770691200000,
  AlertsThatCount1770691260000,
  DeletedTunings1770695820000,
  MetricsThatHoldHistory1770773460000,
  AnomaliesMadeByVerdicts1770773520000,
  HowLongAnomaliesLast1770777660000,
  HabitsOfPatterns1770781740000,
  MetricsThatAreJudged1770785340000,
  Sources1770788520000,
  PointLogPlace1770791040000,
  ManyNewMetrics1770792600000,
  SourcesWrittenBackTo1770795360000,
  PointsInOtherStores1770800640000,
  DetectionMembers1770804240000,
  LearntStateInObjects1770811440000,
  CheaperSearchRows1770811560000,
  SearchRowsBehind1770811620000,
  IncidentsEndWithTheirLastSlot1770811980000,
  PeaksInTitles1770815220000,
  TitlesOfMessages1770815280000,
] as const;

/** For the database of the process. */
export const SCHEMA: DatabaseSchema = { migrations: MIGRATIONS, appendOnlyTables: ['audit_entry'] };
