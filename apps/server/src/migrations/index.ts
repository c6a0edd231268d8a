import { type DatabaseSchema } from '../common/database/prepare-database.js';
import { OrganisationsAndPeople1767225600001 } from './1767225600001-organisations-and-people.js';
import { MetricsAndAnomalies1767225600002 } from './1767225600002-metrics-and-anomalies.js';
import { Points1767225600003 } from './1767225600003-points.js';
import { DetectionCheckpoint1767225600004 } from './1767225600004-detection-checkpoint.js';
import { CheckpointPages1767225600005 } from './1767225600005-checkpoint-pages.js';
import { SeriesBlocks1767225600006 } from './1767225600006-series-blocks.js';
import { MetricRegistry1767225600007 } from './1767225600007-metric-registry.js';
import { EventsExclusionsSearch1767225600008 } from './1767225600008-events-exclusions-search.js';
import { TestSends1767225600009 } from './1767225600009-test-sends.js';
import { MailAndIssueReports1767225600010 } from './1767225600010-mail-and-issue-reports.js';
import { LinksAndCounts1767225600011 } from './1767225600011-links-and-counts.js';
import { LeavingOrganisations1767225600012 } from './1767225600012-leaving-organisations.js';
import { PointCounts1767225600013 } from './1767225600013-point-counts.js';
import { Retention1767225600014 } from './1767225600014-retention.js';
import { AuditTrail1767225600015 } from './1767225600015-audit-trail.js';
import { Billing1767225600016 } from './1767225600016-billing.js';
import { ProgressAndDemo1767225600017 } from './1767225600017-progress-and-demo.js';
import { SingleSignOn1767225600018 } from './1767225600018-single-sign-on.js';
import { SecretKeys1767225600019 } from './1767225600019-secret-keys.js';

/** Every migration, oldest first. A released migration never changes. */
export const MIGRATIONS = [
  OrganisationsAndPeople1767225600001,
  MetricsAndAnomalies1767225600002,
  Points1767225600003,
  DetectionCheckpoint1767225600004,
  CheckpointPages1767225600005,
  SeriesBlocks1767225600006,
  MetricRegistry1767225600007,
  EventsExclusionsSearch1767225600008,
  TestSends1767225600009,
  MailAndIssueReports1767225600010,
  LinksAndCounts1767225600011,
  LeavingOrganisations1767225600012,
  PointCounts1767225600013,
  Retention1767225600014,
  AuditTrail1767225600015,
  Billing1767225600016,
  ProgressAndDemo1767225600017,
  SingleSignOn1767225600018,
  SecretKeys1767225600019,
] as const;

/** For the database of the process. */
export const SCHEMA: DatabaseSchema = { migrations: MIGRATIONS, appendOnlyTables: ['audit_entry'] };
